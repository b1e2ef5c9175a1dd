#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A shard behind its lock.
///
/// `Locked` does the same for any state, but across modules it is not compiled for the state's type, and a look-up is so
/// short that this doubles its time.
// Unchecked: every access to `shard` happens between lock and unlock of `mutex`.
final class GuardedShard: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var shard = CacheShard()

    init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @inline(__always)
    func withLock<Result>(_ body: (inout CacheShard) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&shard)
    }
}
