#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What a new thread runs.
final class ThreadBody {
    private let name: String
    private let body: () -> Void

    init(_ name: String, _ body: @escaping () -> Void) {
        self.name = name
        self.body = body
    }

    func run() {
        nameThisThread(name)
        body()
    }
}

/// Makes a broken pipe an error code on this thread, rather than a signal that ends the process.
package func ignoreBrokenPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
}
