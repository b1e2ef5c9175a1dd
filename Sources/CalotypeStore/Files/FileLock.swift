#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An exclusive lock on a file, held until this value is destroyed or the process ends, even if it is killed.
package struct FileLock: ~Copyable {
    private let file: FileDescriptor

    /// Takes the lock, or returns `nil` if another owner holds it.
    package init?(trying path: String) throws(StoreError) {
        while true {
            let file = try FileDescriptor(path, O_RDWR | O_CLOEXEC | O_CREAT)
            guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
                if errno == EINTR { continue }
                return nil
            }
            // The previous owner may have deleted the file: locking it would then exclude no other process.
            if try file.isLinked() {
                self.file = file
                return
            }
        }
    }

    /// Waits for the lock for at most `timeout`, then throws `busy`. Polls, because `flock` has no timeout.
    package init(_ path: String, timeout: Duration) throws(StoreError) {
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
}
