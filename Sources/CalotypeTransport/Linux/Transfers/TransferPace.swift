import CalotypeHTTP

/// The minimum rate of an exchange while other requests wait for a slot: 500 bytes per second, averaged over a window.
/// All times are nanoseconds of a monotonic clock that the caller reads.
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

    var deadline: UInt64 { isPaused ? .max : start.advanced(bySaturating: window) }

    /// Stops the clock while the exchange waits for its client.
    mutating func pause() { isPaused = true }

    /// Starts a new window. `bytes` is the number of bytes that the exchange has moved so far, in both directions.
    mutating func restart(at now: UInt64, bytes: Int) {
        start = now
        self.bytes = bytes
        isPaused = false
    }

    /// Returns `true` at the end of a window in which too few bytes moved. Starts the next window.
    mutating func isSlow(at now: UInt64, bytes: Int) -> Bool {
        guard now >= deadline else { return false }
        let moved = Double(bytes - self.bytes)
        restart(at: now, bytes: bytes)
        return moved < Self.bytesPerSecond * (window / .seconds(1))
    }
}
