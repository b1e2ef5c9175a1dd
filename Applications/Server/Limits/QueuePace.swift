/// The pace of a queue: the average time from one finished rendition to the next while there is work. All times are from
/// one stopwatch, which the caller reads.
struct QueuePace: Hashable, Sendable {
    /// The number of renditions from which the average is worth a refusal. Of fewer, a slow one would set it alone.
    static let samples = 8

    /// The average of the first ``samples`` renditions; each further one has a weight of an eighth. `nil` before the first.
    private(set) var interval: Duration?
    private var count = 0
    private var mark = Duration.zero

    /// Whether enough renditions have been finished to refuse one by the pace.
    var isKnown: Bool { count >= Self.samples }

    /// Notes that there is work again.
    mutating func begin(at now: Duration) { mark = now }

    mutating func finish(at now: Duration) {
        let last = now - mark
        mark = now
        count = min(count + 1, Self.samples)
        interval = interval.map { $0 + (last - $0) / count } ?? last
    }

    /// Returns the time in which so many renditions are finished, or `nil` before the first one.
    func time(for count: Int) -> Duration? { interval.map { $0 * count } }
}
