import CalotypeHTTP

/// The pace at which an exchange must move bytes while others wait for its place: 500 a second, over each window.
///
/// Nanoseconds of a monotonic clock, given from outside.
struct TransferPace {
    static let bytesPerSecond = 500.0

    private let window: Duration
    private var start: UInt64
    private var bytes = 0
    private var isPaused = false

    init(window: Duration, now: UInt64) {
        self.window = window
        start = now
    }

    /// The end of the window.
    var deadline: UInt64 { isPaused ? .max : start.advanced(bySaturating: window) }

    /// Waits for its client: that time does not count.
    mutating func pause() { isPaused = true }

    /// Begins a new window.
    ///
    /// - Parameter bytes: how many the exchange has moved in both directions.
    mutating func restart(at now: UInt64, bytes: Int) {
        start = now
        self.bytes = bytes
        isPaused = false
    }

    /// Returns whether a window is over in which fewer bytes moved, and begins the next one.
    mutating func isSlow(at now: UInt64, bytes: Int) -> Bool {
        guard now >= deadline else { return false }
        let moved = Double(bytes - self.bytes)
        restart(at: now, bytes: bytes)
        return moved < Self.bytesPerSecond * (window / .seconds(1))
    }
}
