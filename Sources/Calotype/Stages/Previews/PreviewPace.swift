/// When the next preview of a body is due. A value without a clock: times are counted from any one moment.
///
/// Each preview takes as long as decoding the bytes so far. With twice as many bytes for each, all of them together take no
/// longer than decoding the body twice.
struct PreviewPace {
    private static let interval = Duration.milliseconds(500)

    private let minimumBytes: Int
    /// Of the last try.
    private var bytes = 0
    /// Of the last preview.
    private var time: Duration?

    init(minimumBytes: Int) { self.minimumBytes = minimumBytes }

    /// The time at which a preview of so many bytes may be made, which may be over; `nil` if more bytes have to come first.
    func due(bytes: Int, of expected: Int?) -> Duration? {
        guard hasRoom(bytes: bytes, of: expected), max(bytes, expected ?? 0) >= minimumBytes, bytes / 2 >= self.bytes
        else { return nil }
        return time.map { $0 + Self.interval } ?? .zero
    }

    /// Returns whether enough is missing for a preview to be worth its time.
    func hasRoom(bytes: Int, of expected: Int?) -> Bool {
        guard bytes > 0 else { return false }
        guard let expected else { return true }
        // Not `5 * bytes`: the length is what a server says.
        return bytes <= expected - expected / 5
    }

    /// So many bytes have been tried.
    mutating func note(bytes: Int) { self.bytes = bytes }

    /// A preview has been shown.
    mutating func note(preview time: Duration) { self.time = time }
}
