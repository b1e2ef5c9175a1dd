/// A token bucket that refills at a steady rate. Times are relative to its creation.
package struct TokenBucket: Sendable {
    private let interval: Duration
    private let burst: Int
    private var tokens: Int
    /// The time at which the next token arrives.
    package private(set) var nextToken: Duration

    /// Creates a full bucket, or returns `nil` (no limit) unless `perSecond` is finite and above 0.
    package init?(perSecond: Double, burst: Int) {
        guard perSecond > 0, perSecond.isFinite else { return nil }
        interval = .seconds(1 / perSecond)
        self.burst = max(burst, 1)
        tokens = self.burst
        nextToken = interval
    }

    package var hasToken: Bool { tokens > 0 }

    /// Returns the bucket with the tokens that have arrived by then.
    package func refilled(at now: Duration) -> TokenBucket {
        var bucket = self
        bucket.fill(until: now)
        return bucket
    }

    package mutating func takeToken(at now: Duration) -> Bool {
        fill(until: now)
        guard tokens > 0 else { return false }
        // A full bucket does not refill: the wait for the next token starts when the first is taken.
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
