#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Runs `body` on a new, detached thread.
///
/// - Parameter name: The name that debuggers and `top -H` show. Linux takes 15 bytes.
/// - Returns: `false` if the system has no thread to give. The body does not run then.
package func startThread(named name: String, _ body: sending @escaping () -> Void) -> Bool {
    let box = Unmanaged.passRetained(ThreadBody(name, body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    #if canImport(Glibc)
        var thread = pthread_t()
    #else
        var thread: pthread_t?
    #endif
    let status = pthread_create(
        &thread, &attributes,
        { argument in
            #if canImport(Glibc)
                let raw = argument
            #else
                let raw: UnsafeMutableRawPointer? = argument
            #endif
            guard let raw else { return nil }
            Unmanaged<ThreadBody>.fromOpaque(raw).takeRetainedValue().run()
            return nil
        }, box.toOpaque())
    if status != 0 { box.release() }
    return status == 0
}

/// Makes a broken pipe an error code on this thread, rather than a signal that ends the process.
package func ignoreBrokenPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
}

private final class ThreadBody {
    private let name: String
    private let body: () -> Void

    init(_ name: String, _ body: @escaping () -> Void) {
        self.name = name
        self.body = body
    }

    func run() {
        #if canImport(Glibc)
            // Swift's Glibc module leaves out pthread_setname_np.
            let file = open("/proc/thread-self/comm", O_WRONLY)
            if file >= 0 {
                _ = name.withCString { write(file, $0, strlen($0)) }
                close(file)
            }
        #else
            pthread_setname_np(name)
        #endif
        body()
    }
}
