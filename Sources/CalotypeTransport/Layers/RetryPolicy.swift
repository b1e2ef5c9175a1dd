public import CalotypeHTTP

/// When to try again, how often and after how long.
public struct RetryPolicy: Sendable {
    /// Tries after the first one.
    public var count: Int
    /// The pause before the second try; doubled for each one after. 500 ms.
    public var firstPause = Duration.milliseconds(500)
    /// No pause of ours is longer. 10 s.
    public var longestPause = Duration.seconds(10)
    /// The longest `Retry-After` that is waited for. A server that asks for more gets its way: there is no other try.
    /// 60 s.
    public var longestRetryAfter = Duration.seconds(60)
    /// Statuses after which another try may help.
    public var statuses: Set<Int> = [408, 429, 500, 502, 503, 504]
    /// Errors after which another try may help: those of the connection. A timeout is one only where the request has
    /// no total timeout, which another try would exceed.
    public var codes: Set<TransportError.Code> = [.cannotFindHost, .cannotConnect, .connectionLost, .timedOut]

    /// Creates a policy with a number of further tries, with the default delays between them.
    public init(count: Int) {
        self.count = count
    }

    /// Two more tries.
    public static let twice = RetryPolicy(count: 2)
    /// No further try.
    public static let never = RetryPolicy(count: 0)

    /// The pause after which to try again; nil to leave it at this outcome.
    ///
    /// Only safe methods are tried again, and never what was cancelled. A loader that reads the whole body may ask with the error
    /// that came in the middle of it.
    ///
    /// - Parameters:
    ///   - tries: how many there were, this one included.
    ///   - jitter: 0..<1. Half of the pause is fixed, half is chance, so that clients that failed together do not come back together.
    ///   - now: seconds since 1970, for a `Retry-After` that is a date.
    public func pause(
        after outcome: Result<HTTPResponse, TransportError>, of request: HTTPRequest, tries: Int, jitter: Double,
        now: Double
    ) -> Duration? {
        guard tries <= count, request.method.isSafe, request.upload == nil else { return nil }
        switch outcome {
        case .failure(let error): return helps(error, request) ? backOff(tries: tries, jitter: jitter) : nil
        case .success(let response):
            guard statuses.contains(response.status) else { return nil }
            guard let asked = response.retryAfter(now: now) else { return backOff(tries: tries, jitter: jitter) }
            return asked <= longestRetryAfter ? asked : nil
        }
    }

    private func helps(_ error: TransportError, _ request: HTTPRequest) -> Bool {
        guard error.code != .cancelled, codes.contains(error.code) else { return false }
        return error.code != .timedOut || request.timeouts.total == nil
    }

    private func backOff(tries: Int, jitter: Double) -> Duration {
        let doubled = firstPause * (1 << min(max(tries - 1, 0), 20))
        return min(doubled, longestPause) * (0.5 + min(max(jitter, 0), 1) / 2)
    }
}

extension HTTPResponse {
    /// RFC 9110 §10.2.3: seconds, or a date; one in the past is no wait.
    func retryAfter(now: Double) -> Duration? {
        guard let field = fields["Retry-After"] else { return nil }
        if let seconds = field.asDigits { return .seconds(min(seconds, 1 << 40)) }
        return HTTPDate.parse(field, now: now).map { .seconds(max($0 - now, 0)) }
    }
}
