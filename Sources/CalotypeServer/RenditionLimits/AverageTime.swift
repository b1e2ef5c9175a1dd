/// The average time of pieces of work. Of the first ``samples`` each has the same weight, and each further one an eighth.
struct AverageTime: Hashable, Sendable {
    /// The number of pieces from which the average is worth a refusal. Of fewer, a slow one would set it alone.
    static let samples = 8

    /// The average; `nil` before the first piece.
    private(set) var value: Duration?
    private var count = 0

    /// Whether enough pieces have been measured to refuse one by their average.
    var isKnown: Bool { count >= Self.samples }

    mutating func add(_ time: Duration) {
        count = min(count + 1, Self.samples)
        value = value.map { $0 + (time - $0) / count } ?? time
    }
}
