// On Linux curl's headers bring the types of POSIX threads along.
import CCurl

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

private final class ThreadBody {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
}

/// Runs `body` on a new thread on which a broken pipe is an error code and no signal.
///
/// - Returns: false when there is no thread to be had.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(ThreadBody(body))
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
            // With CURLOPT_NOSIGNAL curl no longer guards itself against SIGPIPE.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            Unmanaged<ThreadBody>.fromOpaque(raw).takeRetainedValue().run()
            return nil
        }, box.toOpaque())
    if status != 0 { box.release() }
    return status == 0
}

/// Nanoseconds on a clock that nobody sets.
func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
