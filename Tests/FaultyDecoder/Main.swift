import CalotypeCodecs

/// `calotype-decoder` with a codec that does whatever its file asks for.
@main
struct FaultyDecoderProgram {
    static func main() {
        // Under another name, the program is as without the traits HEIF and SVG.
        let isWithoutThreads = CommandLine.arguments[0].hasSuffix("-without-threads")
        DecoderWorker.run(adding: [FaultyDecoder.standard], omitting: isWithoutThreads ? [.heic, .svg] : [])
    }
}
