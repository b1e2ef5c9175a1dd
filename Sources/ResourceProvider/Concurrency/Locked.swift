#if canImport(Glibc)
    public import Glibc
#else
    public import Darwin
#endif

/// State shared by threads, reachable only while the lock is held.
///
/// A `pthread_mutex_t` on the heap rather than `Synchronization.Mutex`, because the thread sanitizer does not see the
/// latter's lock on Linux and reports correct programs. Inlinable, so that other modules compile it for their own state:
/// without that, every access goes through the type's metadata.
// Unchecked: every access to `state` happens between lock and unlock of `mutex`.
@usableFromInline package final class Locked<State>: @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline var state: State

    @inlinable package init(_ initial: sending State) {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        state = initial
    }

    @inlinable deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the lock held. Do not suspend, block or call a user's code inside.
    @inlinable package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
}
