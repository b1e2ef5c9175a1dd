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
        initializeShortLived(mutex)
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

/// Makes a mutex for critical sections of well under a microsecond.
///
/// On Linux one that spins a little before it sleeps: threads that meet at a lock that is free again at once would
/// otherwise spend more time in going to sleep and being woken than in their work.
@usableFromInline
func initializeShortLived(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
    #if canImport(Glibc)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
    #else
        pthread_mutex_init(mutex, nil)
    #endif
}
