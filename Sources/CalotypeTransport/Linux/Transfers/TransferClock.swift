import CalotypeHTTP

/// Keeps the idle and the total timeout of one transfer. curl itself keeps the one for connecting.
///
/// Nanoseconds of a monotonic clock, given from outside.
struct TransferClock {
    private var timeouts = HTTPRequest.Timeouts()
    private var totalDeadline = UInt64.max
    private var spent: UInt64 = 0
    /// When the server gave the last sign of life; nil until the connection stands.
    private var lastSign: UInt64?
    /// When the clock was last looked at before that.
    private var lastLook: UInt64 = 0
    private var lastUploaded = 0
    /// Since when its reader has let it wait, where that time does not count.
    private var pausedSince: UInt64?
    private var pace: PaceClock?

    init() {}

    /// - Parameter spent: time that belongs to the exchange and was over before, in nanoseconds.
    init(_ timeouts: HTTPRequest.Timeouts, now: UInt64, spent: UInt64 = 0) {
        self.timeouts = timeouts
        self.spent = spent
        lastLook = now
        pace = timeouts.pace.map { PaceClock($0, now: now) }
        if let total = timeouts.total { totalDeadline = (now - min(spent, now)).advanced(bySaturating: total) }
    }

    /// At least 1: to curl 0 means a default of its own.
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

    /// When to look again.
    ///
    /// Never later than the next timeout. A transfer that its reader holds up is not idle, nor is one that connects.
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
            return TransportError(.timedOut, "the exchange with \(host) was not over within \(total)")
        }
        if let error = pace?.timeout(at: now, host: host) { return error }
        if lastSign == nil { lastLook = now }
        guard !isPaused, isIdle(at: now) else { return nil }
        if uploaded > lastUploaded {
            lastUploaded = uploaded
            lastSign = now
            return nil
        }
        return TransportError(.timedOut, "nothing came from \(host) for \(timeouts.idle)")
    }
}
