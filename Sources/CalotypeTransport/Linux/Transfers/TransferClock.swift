import CalotypeBase
import CalotypeHTTP

/// The idle, total and pace timeouts of one transfer. curl itself handles the connect timeout. All times are
/// nanoseconds of a monotonic clock that the caller reads.
struct TransferClock {
    private let timeouts: HTTPRequest.Timeouts
    private var totalDeadline = UInt64.max
    private let spent: UInt64
    /// The time at which the server last sent bytes, or `nil` until the connection is established.
    private var lastSign: UInt64?
    /// The time of the last check before the connection was established.
    private var lastLook: UInt64 = 0
    private var lastUploaded = 0
    /// The start of the reader's current pause; `nil` if there is no pause, or if pauses count toward `total`.
    private var pausedSince: UInt64?
    private var pace: PaceClock?

    /// - Parameter spent: The nanoseconds already spent on the exchange, which count toward the timeouts.
    init(_ timeouts: HTTPRequest.Timeouts, now: UInt64, spent: UInt64 = 0) {
        self.timeouts = timeouts
        self.spent = spent
        lastLook = now
        pace = timeouts.pace.map { PaceClock($0, now: now) }
        if let total = timeouts.total { totalDeadline = (now - min(spent, now)).advanced(bySaturating: total) }
    }

    /// The rest of the connect timeout, in milliseconds. At least 1, because 0 means curl's default.
    var connectMilliseconds: Int {
        let left = timeouts.connect.nanoseconds - min(spent, timeouts.connect.nanoseconds)
        return Int(min(max(left / 1_000_000, 1), 1 << 30))
    }

    mutating func connected(at now: UInt64) { lastSign = now }
    mutating func heardFromServer(at now: UInt64) { lastSign = now }

    mutating func paused(at now: UInt64) {
        if !timeouts.countsPauses, pausedSince == nil { pausedSince = now }
        pace?.paused(at: now)
    }

    mutating func resumed(at now: UInt64) {
        if let pausedSince, totalDeadline != .max { totalDeadline += now - pausedSince }
        pausedSince = nil
        lastSign = now
        pace?.resumed(at: now)
    }

    mutating func received(_ bytes: Int) { pace?.noteReceived(bytes) }

    /// Returns the time of the next check, which is never later than the next timeout; `.max` if no timeout is running.
    /// A transfer that is connecting, or paused by its reader, does not count as idle.
    func deadline(isPaused: Bool) -> UInt64 {
        if pausedSince != nil { return .max }
        let deadline = min(totalDeadline, pace?.deadline ?? .max)
        return isPaused ? deadline : min(deadline, (lastSign ?? lastLook).advanced(bySaturating: timeouts.idle))
    }

    func isIdle(at now: UInt64) -> Bool {
        lastSign.map { now >= $0.advanced(bySaturating: timeouts.idle) } ?? false
    }

    mutating func timeout(at now: UInt64, isPaused: Bool, uploaded: Int, host: String) -> TransportError? {
        if pausedSince != nil { return nil }
        if now >= totalDeadline, let total = timeouts.total {
            return TransportError(.timedOut, "the exchange with \(host) did not finish within \(total.text)")
        }
        if let error = pace?.timeout(at: now, host: host) { return error }
        if lastSign == nil { lastLook = now }
        guard !isPaused, isIdle(at: now) else { return nil }
        if uploaded > lastUploaded {
            lastUploaded = uploaded
            lastSign = now
            return nil
        }
        return TransportError(.timedOut, "no data from \(host) for \(timeouts.idle.text)")
    }
}
