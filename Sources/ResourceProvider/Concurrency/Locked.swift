#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// State shared by threads, reachable only while the lock is held.
///
/// A `pthread_mutex_t` on the heap rather than `Synchronization.Mutex`, because the thread sanitizer does not see the
/// latter's lock on Linux and reports correct programs.
// Unchecked: every access to `state` happens between lock and unlock of `mutex`.
package final class Locked<State>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var state: State

    package init(_ initial: sending State) {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        state = initial
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the lock held. Do not suspend, block or call a user's code inside.
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
}
