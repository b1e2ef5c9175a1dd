import Darwin
import ObjectiveC

/// Runs `body` on a new, detached thread with the quality of service of user-initiated work.
///
/// - Parameter name: The name shown by debuggers.
/// - Returns: `false` if the system cannot create a thread. `body` does not run then.
package func startThread(named name: String, _ body: sending @escaping () -> Void) -> Bool {
    let box = Unmanaged.passRetained(ThreadBody(name, body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // The default of 512 KB is small for custom steps and decoders.
    pthread_attr_setstacksize(&attributes, 2 << 20)
    // Without a QoS class the thread would run below the threads that wait for it.
    pthread_attr_set_qos_class_np(&attributes, QOS_CLASS_USER_INITIATED, 0)
    var thread: pthread_t?
    let status = pthread_create(
        &thread, &attributes,
        { argument in
            Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
            return nil
        }, box.toOpaque())
    if status != 0 { box.release() }
    return status == 0
}

func nameThisThread(_ name: String) { pthread_setname_np(name) }

extension BlockingPool {
    /// Runs a job, then releases the autoreleased objects of Image I/O and Foundation. Without an autorelease pool for
    /// each job, they would live until the thread ends.
    static func perform(_ job: () -> Void) { autoreleasepool { job() } }
}
