import CalotypeBase

struct WriteOutcome: Sendable {
    var written = 0
    var failed = 0
    var evicted = 0
    /// The size of the largest entry written, in bytes.
    var largestWritten = 0
    /// The problems to report to the user's closure, which the store calls after releasing all locks.
    var problems: [StoreProblem] = []
    /// The error that the next `flush()` throws, unless an earlier error is pending.
    var firstError: StoreError?
    /// The removals that failed on the disk, with their error.
    var unwritten: (removals: WriteBatch, cause: StoreError)?

    /// - Parameter bytes: The size of the entry that is lost. The default is 0.
    mutating func fail(_ code: StoreProblem.Code, key: ByteString? = nil, bytes: Int = 0, _ error: StoreError) {
        var problem = StoreProblem(code, key: key, error.message)
        problem.cause = error.code
        problem.lostBytes = bytes
        problems.append(problem)
        if firstError == nil { firstError = error }
    }

    mutating func add(_ other: WriteOutcome) {
        written += other.written
        failed += other.failed
        evicted += other.evicted
        largestWritten = max(largestWritten, other.largestWritten)
        problems += other.problems
        if firstError == nil { firstError = other.firstError }
        unwritten = other.unwritten ?? unwritten
    }
}
