#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A shard with its lock.
///
/// `Locked` does the same, but is not specialized across modules, which doubles the time of so short a lookup.
// Unchecked: every access to `shard` happens while `mutex` is locked.
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
