import Glibc

/// Runs `body` on a new, detached thread.
///
/// - Parameter name: The name shown by debuggers and `top -H`. Linux truncates it to 15 bytes.
/// - Returns: `false` if the system cannot create a thread. `body` does not run then.
package func startThread(named name: String, _ body: sending @escaping () -> Void) -> Bool {
    let box = Unmanaged.passRetained(ThreadBody(name, body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let status = pthread_create(
        &thread, &attributes,
        { argument in
            if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run() }
            return nil
        }, box.toOpaque())
    if status != 0 { box.release() }
    return status == 0
}

func nameThisThread(_ name: String) {
    // Swift's Glibc module does not export pthread_setname_np.
    let file = open("/proc/thread-self/comm", O_WRONLY)
    if file >= 0 {
        _ = name.withCString { write(file, $0, strlen($0)) }
        close(file)
    }
}

extension BlockingPool {
    static func perform(_ job: () -> Void) { job() }
}
