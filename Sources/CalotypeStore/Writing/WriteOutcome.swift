import ResourceProvider

/// The outcome of a batch or of upkeep.
struct WriteOutcome: Sendable {
    var written = 0
    var failed = 0
    var evicted = 0
    /// For the user's closure, which is called when no lock is held any more.
    var problems: [StoreProblem] = []
    /// For whoever calls `flush()`.
    var firstError: StoreError?

    mutating func fail(_ code: StoreProblem.Code, key: ByteString? = nil, _ error: StoreError) {
        problems.append(StoreProblem(code, key: key, error.message))
        if firstError == nil { firstError = error }
    }

    mutating func add(_ other: WriteOutcome) {
        written += other.written
        failed += other.failed
        evicted += other.evicted
        problems += other.problems
        if firstError == nil { firstError = other.firstError }
    }
}
