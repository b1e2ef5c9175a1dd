import Glibc

/// State shared by threads, which may block until it changes.
// Unchecked: `state` is accessed only while `mutex` is locked.
package final class Monitor<State>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State

    package init(_ initial: sending State) {
        initializeShortLived(mutex)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A wait must not grow when the date is set.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
        state = initial
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` with the lock held. Wakes no waiting thread.
    package func read<Result>(_ body: (State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(state)
    }

    /// Runs `body` with the lock held, then wakes all waiting threads, which check their conditions again.
    package func change<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
        }
        return body(&state)
    }

    /// Waits until `body`, which runs with the lock held, returns a value.
    package func wait<Result>(_ body: (inout State) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            pthread_cond_wait(changed, mutex)
        }
    }

    /// Waits at most this long until `body`, which runs with the lock held, returns a value. Returns `nil` after that time.
    package func wait<Result>(atMost limit: Duration, _ body: (inout State) -> Result?) -> Result? {
        let end = monotonicNanoseconds() + UInt64(max(limit / .nanoseconds(1), 0))
        var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            if pthread_cond_timedwait(changed, mutex, &time) == ETIMEDOUT { return body(&state) }
        }
    }
}
