/// A bucket of tokens that fills at a steady rate. Times are counted from its creation.
struct TokenBucket {
    private let interval: Duration
    private let burst: Int
    private var tokens: Int
    /// When the next token is there.
    private(set) var nextToken: Duration

    /// If `perSecond` is not a finite number above 0, there is no limit and no bucket.
    init?(perSecond: Double, burst: Int) {
        guard perSecond > 0, perSecond.isFinite else { return nil }
        interval = .seconds(1 / perSecond)
        self.burst = max(burst, 1)
        tokens = self.burst
        nextToken = interval
    }

    mutating func takeToken(at now: Duration) -> Bool {
        fill(until: now)
        guard tokens > 0 else { return false }
        // A full bucket does not fill: the time to the next token starts when one is taken.
        if tokens == burst { nextToken = now + interval }
        tokens -= 1
        return true
    }

    private mutating func fill(until now: Duration) {
        guard tokens < burst, now >= nextToken, interval > .zero else { return }
        let passed = (now - nextToken) / interval
        let whole = passed < Double(burst) ? Int(passed) : burst
        tokens = min(burst, tokens + 1 + whole)
        nextToken += interval * (1 + whole)
    }
}
