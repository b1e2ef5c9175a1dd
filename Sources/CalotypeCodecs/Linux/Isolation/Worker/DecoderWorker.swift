import CSandbox
import CalotypeBase
import Foundation
import Glibc

/// The main program of `calotype-decoder`, the process that decodes. Only ``DecoderWorkers`` starts it.
///
/// The process loads all libraries, drops its privileges, and only then reads the first file.
package enum DecoderWorker {
    /// Decodes for the process that started this one, until that process closes its socket. Never returns.
    ///
    /// - Parameters:
    ///   - more: Decoders besides the library's, for tests.
    ///   - omitted: Formats without their decoders, for tests.
    package static func run(adding more: [StandardDecoder] = [], omitting omitted: Set<ImageFormat> = []) -> Never {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let parent = pid_t(arguments[2]), isSocket(CALOTYPE_SOCKET) else {
            print("\(WorkerProgram.name) decodes images for the program that it belongs to, which starts it.")
            exit(64)
        }
        guard calotype_end_with_parent(parent) != 0 else { exit(1) }
        // Of a build with the traits, the program asks for all decoders, or for those that it lacks itself.
        let lists = [StandardDecoder.built, StandardDecoder.traits]
        guard
            let asked = lists.first(where: { arguments[1].utf8.elementsEqual(WorkerProgram.version(of: $0).utf8) })
        else { refuse("\(arguments[0]) is of another version than this program") }
        guard let input = region(CALOTYPE_INPUT, isWritable: false),
            let output = region(CALOTYPE_OUTPUT, isWritable: true)
        else { refuse("\(arguments[0]) got no memory to share") }
        let own = asked.filter { omitted.isDisjoint(with: $0.formats) }
        let service = DecoderService(own + more, input, output)
        WorkerFonts.select()
        WarmUpFiles.decodeAll(own)
        calotype_release_clean_pages()
        offerToDieFirst()
        calotype_watch_memory()
        if let missing = calotype_lock(own.contains(where: \.startsThreads) ? 1 : 0) {
            refuse("decoders cannot be isolated: \(String(cString: missing)) is missing")
        }
        service.run()
        exit(0)
    }

    private static func isSocket(_ descriptor: Int) -> Bool {
        var status = stat()
        return fstat(Int32(descriptor), &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    private static func region(_ descriptor: Int, isWritable: Bool) -> SharedRegion? {
        guard let file = SharedDescriptor(Int32(descriptor)) else { return nil }
        return SharedRegion(mapping: file, count: SharedRegion.smallest, isWritable: isWritable)
    }

    /// Sends an error in place of the greeting, and ends the process.
    private static func refuse(_ reason: String) -> Never {
        var answer = calotype_answer()
        answer.kind = UInt32(CALOTYPE_HELLO)
        answer.status = UInt32(CALOTYPE_ERROR)
        answer.set(reason)
        DecoderService.send(answer)
        exit(1)
    }

    /// Has the kernel end this process before others when memory runs out.
    private static func offerToDieFirst() {
        let file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = Glibc.write(file, "1000", 4)
        close(file)
    }
}
