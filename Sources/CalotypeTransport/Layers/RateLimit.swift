import CalotypeBase
public import CalotypeHTTP

extension Transport {
    /// Sends at most `perSecond` requests a second on average; after a pause, up to `burst` at once.
    ///
    /// Requests wait by priority, first in first out within a priority. Cancelled requests do not count.
    ///
    /// - Parameters:
    ///   - perSecond: The number of requests per second. 0, a negative number or infinity disables the limit.
    ///   - burst: The maximum number of requests sent at once, at least 1.
    ///   - queueLimit: The maximum number of waiting requests. Further requests fail with `overloaded`. The default is
    ///     65,536.
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
        // Only the rate is limited, not the number of simultaneous requests.
        limiter.leave()
        return try await base.send(request)
    }
}
