public import CalotypeHTTP

/// The conditions for retries, their number and their pauses.
public struct RetryPolicy: Sendable {
    /// The maximum number of retries.
    public var count: Int
    /// The pause before the first retry, doubled for each further retry. The default is 500 ms.
    public var firstPause = Duration.milliseconds(500)
    /// The maximum pause before a retry, unless the server sends `Retry-After`. The default is 10 s.
    public var longestPause = Duration.seconds(10)
    /// The maximum `Retry-After` to wait for. If a server asks for more, there is no retry. The default is 60 s.
    public var longestRetryAfter = Duration.seconds(60)
    /// The statuses to retry. The default is 408, 429, 500, 502, 503 and 504.
    public var statuses: Set<Int> = [408, 429, 500, 502, 503, 504]
    /// The errors to retry; by default, failures of names and connections, and timeouts. A request with a total timeout
    /// is never retried after a timeout.
    public var codes: Set<TransportError.Code> = [.cannotFindHost, .cannotConnect, .connectionLost, .timedOut]

    /// Called when a request begins to wait for as long as `Retry-After` requests. The returned closure is called at the
    /// end of the wait, also if the request is cancelled. The default is `nil`.
    package var onRequestedPause: (@Sendable (Duration) -> @Sendable () -> Void)?

    /// Creates a policy with a number of retries and the default pauses.
    public init(count: Int) {
        self.count = count
    }

    /// Two retries.
    public static let twice = RetryPolicy(count: 2)
    /// No retries.
    public static let never = RetryPolicy(count: 0)

    /// Returns the pause before the next retry, or `nil` to accept this outcome.
    ///
    /// Only safe methods are retried, and never a cancelled request. A loader that reads the whole body may also pass
    /// an error that interrupted the body.
    ///
    /// - Parameters:
    ///   - tries: The number of attempts so far, including this one.
    ///   - jitter: A number in 0..<1, evaluated only for a retry. It determines half of the pause, so that clients that
    ///     failed at the same time do not retry at the same time.
    ///   - now: The time in seconds since 1970, for a `Retry-After` date.
    public func pause(
        after outcome: Result<HTTPResponse, TransportError>, of request: HTTPRequest, tries: Int,
        jitter: @autoclosure () -> Double, now: Double
    ) -> Duration? {
        guard tries <= count, request.method.isSafe, request.upload == nil else { return nil }
        switch outcome {
        case .failure(let error): return helps(error, request) ? backOff(tries: tries, jitter: jitter()) : nil
        case .success(let response):
            guard statuses.contains(response.status) else { return nil }
            guard let asked = response.retryAfter(now: now) else { return backOff(tries: tries, jitter: jitter()) }
            return asked <= longestRetryAfter ? asked : nil
        }
    }

    private func helps(_ error: TransportError, _ request: HTTPRequest) -> Bool {
        guard error.code != .cancelled, codes.contains(error.code) else { return false }
        return error.code != .timedOut || request.timeouts.total == nil && request.deadline == nil
    }

    private func backOff(tries: Int, jitter: Double) -> Duration {
        let doubled = firstPause * (1 << min(max(tries - 1, 0), 20))
        return min(doubled, longestPause) * (0.5 + min(max(jitter, 0), 1) / 2)
    }
}

extension HTTPResponse {
    /// Returns the pause that Retry-After requests (RFC 9110 §10.2.3), as seconds or a date; a past date means 0.
    package func retryAfter(now: Double) -> Duration? {
        guard let field = fields["Retry-After"] else { return nil }
        if let seconds = field.asDigits { return .seconds(min(seconds, 1 << 40)) }
        return HTTPDate.parse(field, now: now).map { .seconds(max($0 - now, 0)) }
    }
}
