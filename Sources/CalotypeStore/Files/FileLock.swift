#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An exclusive lock on a file, given up with its owner or with the process, however it ends.
struct FileLock: ~Copyable {
    private let file: FileDescriptor

    /// Returns `nil` if somebody else holds the lock.
    init?(trying path: String, creates: Bool = true) throws(StoreError) {
        while true {
            let file = try FileDescriptor(path, O_RDWR | O_CLOEXEC | (creates ? O_CREAT : 0))
            guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
                if errno == EINTR { continue }
                return nil
            }
            // Whoever held it before may have deleted it: then it locks nothing that another could see.
            if try file.isLinked() {
                self.file = file
                return
            }
        }
    }

    /// Waits for the lock, but no longer than `timeout`.
    ///
    /// By asking again and again: a wait inside `flock` could not end before a stopped process lets go.
    init(_ path: String, timeout: Duration) throws(StoreError) {
        let deadline = ContinuousClock.now + timeout
        while true {
            if let lock = try FileLock(trying: path) {
                self = lock
                return
            }
            guard ContinuousClock.now < deadline else {
                throw StoreError(.busy, "another process holds \(path)")
            }
            usleep(1000)
        }
    }

    /// Runs `body` while the lock is held.
    static func whileHolding<Result>(
        _ path: String, timeout: Duration, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let lock = try FileLock(path, timeout: timeout)
        let result = Swift.Result { () throws(StoreError) in try body() }
        _ = consume lock
        return try result.get()
    }
}
