#if canImport(Glibc)
    public import Glibc
#else
    public import Darwin
#endif

/// State shared by threads, accessible only while the lock is held.
///
/// Uses a heap-allocated `pthread_mutex_t` instead of `Synchronization.Mutex`, whose lock the thread sanitizer does not
/// see on Linux: it reports races in correct programs. Inlinable, so that other modules specialize it for their state:
/// otherwise every access goes through type metadata.
// Unchecked: `state` is accessed only while `mutex` is locked.
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

    /// Runs `body` with the lock held. `body` must not suspend, block or call user code.
    @inlinable package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
}

/// Initializes a mutex for critical sections of well under a microsecond.
///
/// On Linux the mutex spins briefly before it sleeps: with such short sections, sleeping and waking would otherwise
/// cost more than the work.
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
