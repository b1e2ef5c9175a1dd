import CSandbox
import CalotypeCodecs
import Glibc

/// `calotype-decoder` with a codec that does whatever its file asks for.
@main
struct FaultyDecoderProgram {
    static func main() {
        // Under another name, the program is as without the traits HEIF and SVG.
        let name = CommandLine.arguments[0]
        let isWithoutThreads = name.hasSuffix("-without-threads")
        // As in a service or a container whose filter of system calls lacks seccomp.
        for (ending, error) in [("-refused", EPERM), ("-unknown", ENOSYS), ("-killed", 0)] where name.hasSuffix(ending)
        {
            _ = calotype_refuse_filters(error)
        }
        DecoderWorker.run(adding: [FaultyDecoder.standard], omitting: isWithoutThreads ? [.heic, .svg] : [])
    }
}
