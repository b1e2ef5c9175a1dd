import CalotypeBase
public import CalotypeHTTP

extension Transport {
    /// Sends at most `perSecond` requests a second on average; after a pause, up to `burst` at once.
    ///
    /// Requests wait by priority, first in first out within a priority. Cancelled ones do not count.
    ///
    /// - Parameters:
    ///   - perSecond: The rate. 0, a negative number or infinity disables the limit.
    ///   - burst: The largest burst, at least 1.
    ///   - queueLimit: The number of requests that may wait. Further ones fail with `overloaded`. The default is
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
