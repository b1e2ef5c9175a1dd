/// The schedule of a body's previews. A value without a clock: times count from an arbitrary moment.
///
/// A preview costs at most one decode of the bytes so far. The next preview needs twice as many bytes, so that all
/// previews together cost at most two decodes of the whole body.
struct PreviewPace {
    private static let interval = Duration.milliseconds(500)

    private let minimumBytes: Int
    /// The number of received bytes at which the next attempt is due.
    private var nextBytes = 0
    /// The time of the last preview.
    private var time: Duration?

    init(minimumBytes: Int) { self.minimumBytes = minimumBytes }

    /// Returns the earliest time, possibly past, for a preview of `bytes` bytes, or `nil` if it would be too early or
    /// no longer worthwhile.
    func due(bytes: Int, of expected: Int?) -> Duration? {
        guard hasRoom(bytes: bytes, of: expected), max(bytes, expected ?? 0) >= minimumBytes, bytes >= nextBytes
        else { return nil }
        return time.map { $0 + Self.interval } ?? .zero
    }

    /// Returns whether at least a fifth of the body is missing or its length unknown, so that a preview is worthwhile.
    func hasRoom(bytes: Int, of expected: Int?) -> Bool {
        guard bytes > 0 else { return false }
        guard let expected else { return true }
        // Not `5 * bytes`, which could overflow: the server chooses the length.
        return bytes <= expected - expected / 5
    }

    /// Records an attempt. The next attempt is due at twice as many bytes, or at a quarter more if this one failed.
    mutating func note(bytes: Int, hasPreview: Bool) {
        let (next, overflows) = bytes.addingReportingOverflow(hasPreview ? bytes : bytes / 4 + 1)
        nextBytes = overflows ? .max : next
    }

    mutating func note(preview time: Duration) { self.time = time }
}
