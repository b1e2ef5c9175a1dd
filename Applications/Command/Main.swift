import CalotypeBase
import Foundation

@main
struct Main {
    static func main() async {
        // By default, SIGPIPE would end the process before it could remove its temporary files.
        signal(SIGPIPE, SIG_IGN)
        // A parent may have ignored it, which programs inherit. The kernel would not keep the status of ended workers.
        signal(SIGCHLD, SIG_DFL)
        let temporaryFiles = TemporaryFiles()
        let environment = ProcessInfo.processInfo.environment
        let console = Console(environment: environment) { failure in
            temporaryFiles.removeAll()
            if failure.isBrokenPipe { _exit(128 + SIGPIPE) }
            try? Stream.errors.write("calotype: standard output: \(failure)\n")
            _exit(ExitStatus.failure.rawValue)
        }
        let context = Context(console: console, temporaryFiles: temporaryFiles, environment: environment)
        let dispatcher = Dispatcher(context: context)
        let words = CommandLine.words
        // The work starts once `listen` has installed every handler: an earlier signal would not cancel it.
        let (listening, begins) = AsyncStream.makeStream(of: Never.self)
        let work = Task {
            for await _ in listening {}
            return await dispatcher.run(words)
        }
        let interrupts = Interrupts(
            hangups: context.hangups, onFirst: { work.cancel() }, onSecond: { temporaryFiles.removeAll() })
        await interrupts.listen()
        begins.finish()
        let status = await work.value
        console.status(nil)
        temporaryFiles.removeAll()
        exit((status == .ended ? .success : interrupts.status ?? status).rawValue)
    }
}

extension CommandLine {
    /// The arguments after the name of the program, as the bytes that the system passes: a path need not be UTF-8.
    fileprivate static var words: [ByteString] {
        UnsafeBufferPointer(start: unsafeArgv, count: Int(argc)).dropFirst().compactMap { word in
            word.map { ByteString(bytes: UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }
    }
}
