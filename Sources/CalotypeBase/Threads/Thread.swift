#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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

/// Blocks SIGPIPE on this thread, so that writing to a broken pipe returns an error code instead of ending the process.
package func ignoreBrokenPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
}
