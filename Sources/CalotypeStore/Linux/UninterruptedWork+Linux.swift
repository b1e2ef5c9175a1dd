/// Work with a lock on a file, during which the system does not suspend the process.
enum UninterruptedWork {
    /// Whether a lock may be held between two pieces of work.
    static let keepsLocks = true

    /// Does the work here and now. Linux ends no process for its locks.
    @inline(__always)
    static func perform<Result, Failure: Error>(
        _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result { try work() }
}
