import CalotypeBase
import CalotypeHTTP

/// The timeout of an exchange whose bytes arrive too slowly. While the response's reader pauses the transfer, the clock
/// stops. All times are nanoseconds of a monotonic clock that the caller reads.
struct PaceClock {
    private let pace: HTTPRequest.Pace
    /// The start of the exchange, postponed by the length of each pause.
    private var start: UInt64
    private var received = 0
    private var pausedSince: UInt64?

    init(_ pace: HTTPRequest.Pace, now: UInt64) {
        self.pace = pace
        start = now
    }

    mutating func noteReceived(_ bytes: Int) { received += bytes }

    mutating func paused(at now: UInt64) { pausedSince = pausedSince ?? now }

    mutating func resumed(at now: UInt64) {
        guard let since = pausedSince else { return }
        pausedSince = nil
        start += now - min(since, now)
    }

    /// The time at which the exchange times out unless more bytes arrive; `UInt64.max` during a pause.
    var deadline: UInt64 { pausedSince == nil ? start.advanced(bySaturating: limit) : .max }

    func timeout(at now: UInt64, host: String) -> TransportError? {
        guard now >= deadline else { return nil }
        return TransportError(.timedOut, "\(host) is too slow: \(received) bytes arrived within \(limit.text)")
    }

    private var limit: Duration { pace.limit(received: received) }
}

extension Duration {
    /// The duration in nanoseconds, clamped to the range of `UInt64`.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 9_000_000_000 else { return .max }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}

extension UInt64 {
    func advanced(bySaturating duration: Duration) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(duration.nanoseconds)
        return overflow ? .max : sum
    }
}
