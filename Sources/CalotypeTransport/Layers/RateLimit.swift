import CalotypeConcurrency
public import CalotypeHTTP

extension Transport {
    /// Sends no more than `perSecond` requests a second on average; `burst` may go at once after a rest.
    ///
    /// What has to wait goes by priority, first in first out within one. Work that is cancelled while it waits uses
    /// none of the allowance.
    ///
    /// - Parameters:
    ///   - perSecond: above 0; a smaller or infinite number does not limit.
    ///   - burst: at least 1.
    ///   - queueLimit: how many may wait. One more fails with `overloaded`.
    public func rateLimited(
        perSecond: Double, burst: Int, queueLimit: Int = 65_536, clock: some Clock<Duration> = ContinuousClock()
    ) -> some Transport {
        RateLimitedTransport(
            base: self,
            limiter: RateLimiter(perSecond: perSecond, burst: burst, queueLimit: queueLimit, clock: clock))
    }
}

private struct RateLimitedTransport<Base: Transport, PauseClock: Clock<Duration>>: Transport {
    let base: Base
    let limiter: RateLimiter<PauseClock>

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await limiter.pass()
        return try await base.send(request)
    }
}
