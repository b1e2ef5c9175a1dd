import CalotypeBase
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
            limiter: Limiter(
                limit: .max, queueLimit: queueLimit,
                rate: Limiter.Rate(perSecond: perSecond, burst: burst, clock: clock)))
    }
}

private struct RateLimitedTransport<Base: Transport>: Transport {
    let base: Base
    let limiter: Limiter

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        do throws(Interruption) {
            try await limiter.enter()
        } catch {
            throw error == .overloaded ? .overloaded : .cancelled
        }
        // Nothing but the rate limits it.
        limiter.leave()
        return try await base.send(request)
    }
}
