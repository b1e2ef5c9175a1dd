#if canImport(Glibc)
    public import Glibc
#else
    public import Darwin
#endif

/// State shared by threads, accessible only while the lock is held.
///
/// A reference: copies share the state. One allocation holds the state and a `pthread_mutex_t`. The thread sanitizer
/// does not see the lock of `Synchronization.Mutex` on Linux, and reports races in correct programs. Inlinable, so that
/// other modules specialize it for their state: otherwise every access goes through type metadata.
// Unchecked: the state is accessed only while the mutex is locked.
@usableFromInline package struct Locked<State>: @unchecked Sendable {
    @usableFromInline final class Storage: ManagedBuffer<State, pthread_mutex_t> {
        @inlinable deinit { _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) } }
    }

    @usableFromInline let storage: ManagedBuffer<State, pthread_mutex_t>

    @inlinable package init(_ initial: sending State) {
        storage = Storage.create(minimumCapacity: 1) { _ in initial }
        storage.withUnsafeMutablePointerToElements { initializeShortLived($0) }
    }

    /// Runs `body` with the lock held. `body` must not suspend, block or call user code.
    @inlinable package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withUnsafeMutablePointers { state, mutex throws(Failure) in
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&state.pointee)
        }
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
