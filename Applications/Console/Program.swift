package import CalotypeBase
import Foundation

/// The frame of a program on a terminal: its signals, its output and its temporary files.
package enum Program {
    /// Performs the work with the program's arguments, and exits with its status.
    package static func run(
        _ work: @escaping @Sendable (_ words: [ByteString], Context) async -> ExitStatus
    ) async -> Never {
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
        let words = CommandLine.words
        // The work starts once `listen` has installed every handler: an earlier signal would not cancel it.
        let (listening, begins) = AsyncStream.makeStream(of: Never.self)
        let task = Task {
            for await _ in listening {}
            return await work(words, context)
        }
        let interrupts = Interrupts(
            hangups: context.hangups, onFirst: { task.cancel() }, onSecond: { temporaryFiles.removeAll() })
        await interrupts.listen()
        begins.finish()
        let status = await task.value
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
