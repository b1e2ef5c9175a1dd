public import CalotypeBase
public import CalotypeHTTP

extension Transport {
    /// Tries again after connection errors and after statuses that say "later", with growing pauses.
    ///
    /// It judges heads: a body that breaks off after its head was handed over is the reader's to ask for again. The
    /// last outcome is returned as it is. A cancelled task stops waiting at once.
    ///
    /// A request with `timeouts.connectivity` is tried again beyond the policy while no connection can be made, for that
    /// long, with pauses of up to 5 s.
    ///
    /// - Parameters:
    ///   - policy: two more tries by default.
    ///   - clock: what the pauses are counted on.
    ///   - wallClock: what a `Retry-After` date is compared with.
    ///   - jitter: a number in 0..<1, new at each call.
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
        var tries = 1
        var waits = Reconnection(limit: request.timeouts.connectivity)
        while true {
            switch await verdict(on: request, tries: tries) {
            case .final(let outcome):
                guard request.upload == nil, let pause = waits.pause(after: outcome) else { return try outcome.get() }
                try await sleep(pause)
            case .again(let pause):
                try await sleep(pause)
                tries += 1
            }
        }
    }

    /// A response that is not the last is let go here, and its connection with it, before the pause begins.
    private func verdict(on request: HTTPRequest, tries: Int) async -> Verdict {
        let outcome: Result<HTTPResponse, TransportError>
        do throws(TransportError) {
            outcome = .success(try await base.send(request))
        } catch {
            outcome = .failure(error)
        }
        let pause = policy.pause(after: outcome, of: request, tries: tries, jitter: jitter(), now: wallClock.now)
        return pause.map { .again(after: $0) } ?? .final(outcome)
    }

    private func sleep(_ pause: Duration) async throws(TransportError) {
        do {
            try await clock.sleep(for: pause)
        } catch {
            throw .cancelled
        }
    }
}

/// The pauses of a request that waits until the network is there again.
private struct Reconnection {
    private var rest: Duration
    private var pause = Duration.milliseconds(500)

    init(limit: Duration?) { rest = limit ?? .zero }

    /// - Returns: `nil` if there is a connection, or none within the limit.
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
    case again(after: Duration)
}
