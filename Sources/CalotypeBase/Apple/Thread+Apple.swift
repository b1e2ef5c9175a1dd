import Darwin
import ObjectiveC

/// Runs `body` on a new, detached thread, which works for what a person waits for.
///
/// - Parameter name: The name that debuggers show.
/// - Returns: `false` if the system has no thread to give. The body does not run then.
package func startThread(named name: String, _ body: sending @escaping () -> Void) -> Bool {
    let box = Unmanaged.passRetained(ThreadBody(name, body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // 512 KB otherwise, which is little for the steps and decoders of applications.
    pthread_attr_setstacksize(&attributes, 2 << 20)
    // Without one the thread would run below those that wait for it.
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
    /// Runs a job of a pool. What Image I/O and Foundation leave to the autorelease pool goes with the job: the thread's own is
    /// drained when the thread ends, which is with the application.
    static func perform(_ job: () -> Void) { autoreleasepool { job() } }
}
