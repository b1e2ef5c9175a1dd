/// Runs work that locks files. On iOS, this type keeps the system from suspending the process meanwhile.
package enum UninterruptedWork {
    /// Whether a process may hold file locks while it is idle.
    package static let keepsLocks = true

    /// Performs the work directly: Linux kills no process for its locks.
    @inline(__always)
    package static func perform<Result, Failure: Error>(
        _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result { try work() }
}
