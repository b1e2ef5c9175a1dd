public import CalotypeBase
public import CalotypeHTTP

extension Transport {
    /// Retries after connection errors and temporary failures, with growing pauses.
    ///
    /// Only the head of a response is examined: if the body breaks off, the reader has to repeat the request. The last
    /// outcome is returned unchanged. A cancelled task stops waiting at once. The number of retries includes those of
    /// libcurl, which sends a request again at once if a kept connection turns out to be dead, or if an HTTP/2 server
    /// refuses the request.
    ///
    /// If no connection can be made, even after the policy's retries, a request is retried for another
    /// `timeouts.connectivity`, with pauses of up to 5 s.
    ///
    /// - Parameters:
    ///   - policy: The retry policy. The default is two retries.
    ///   - clock: The clock of the pauses.
    ///   - wallClock: The clock for the dates in `Retry-After`.
    ///   - jitter: Returns a random number in 0..<1.
    public func retried(
        _ policy: RetryPolicy = .twice, clock: any Clock<Duration> = ContinuousClock(),
        wallClock: WallClock = .system, jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) -> some Transport {
        RetryingTransport(base: self, policy: policy, clock: clock, wallClock: wallClock, jitter: jitter)
    }
}

private struct RetryingTransport<Base: Transport>: Transport {
    let base: Base
    let policy: RetryPolicy
    let clock: any Clock<Duration>
    let wallClock: WallClock
    let jitter: @Sendable () -> Double

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var request = request
        let tries = request.tries ?? RequestTries(limit: policy.count)
        if request.tries == nil { request.tries = tries } else { tries.setLimit(policy.count) }
        var waits = Reconnection(limit: request.timeouts.connectivity)
        while true {
            switch await verdict(on: request, tries) {
            case .final(let outcome):
                guard request.upload == nil, let pause = waits.pause(after: outcome) else { return try outcome.get() }
                try await sleep(pause)
            case .again(let pause, let isRequested):
                let onEnd = isRequested ? policy.onRequestedPause?(pause) : nil
                defer { onEnd?() }
                try await sleep(pause)
                _ = tries.takeRepetition()
            }
        }
    }

    /// Sends the request once. A separate function, so that a response is released before the pause.
    private func verdict(on request: HTTPRequest, _ tries: RequestTries) async -> Verdict {
        let outcome = await Result(awaiting: { () async throws(TransportError) in try await base.send(request) })
        // Counted only now: the transport may have sent the request several times.
        let now = wallClock.now
        let pause = policy.pause(after: outcome, of: request, tries: tries.repetitions + 1, jitter: jitter(), now: now)
        guard let pause, request.deadline.map({ pause < $0.left }) ?? true else { return .final(outcome) }
        return .again(after: pause, isRequested: (try? outcome.get())?.retryAfter(now: now) != nil)
    }

    private func sleep(_ pause: Duration) async throws(TransportError) {
        do {
            try await clock.sleep(for: pause)
        } catch {
            throw .cancelled
        }
    }
}

/// The pauses of a request that is retried while no connection can be made.
private struct Reconnection {
    private var rest: Duration
    private var pause = Duration.milliseconds(500)

    init(limit: Duration?) { rest = limit ?? .zero }

    /// - Returns: The next pause, or `nil` if the outcome is not a connection failure, or the time is up.
    mutating func pause(after outcome: Result<HTTPResponse, TransportError>) -> Duration? {
        guard case .failure(let error) = outcome, [.cannotFindHost, .cannotConnect].contains(error.code), rest > .zero
        else { return nil }
        pause = min(pause * 2, .seconds(5), rest)
        rest -= pause
        return pause
    }
}

private enum Verdict {
    case final(Result<HTTPResponse, TransportError>)
    /// - Parameter isRequested: Whether the server has chosen the pause, by `Retry-After`.
    case again(after: Duration, isRequested: Bool)
}
