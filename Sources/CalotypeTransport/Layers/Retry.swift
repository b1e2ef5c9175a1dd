public import CalotypeConcurrency
public import CalotypeHTTP

extension Transport {
    /// Tries again after connection errors and after statuses that say "later", with growing pauses.
    ///
    /// It judges heads: a body that breaks off after its head was handed over is the reader's to ask for again. The
    /// last outcome is returned as it is. A cancelled task stops waiting at once.
    ///
    /// - Parameters:
    ///   - policy: two more tries by default.
    ///   - clock: what the pauses are counted on.
    ///   - wallClock: what a `Retry-After` date is compared with.
    ///   - jitter: a number in 0..<1, new at each call.
    public func retried(
        _ policy: RetryPolicy = .twice, clock: some Clock<Duration> = ContinuousClock(),
        wallClock: WallClock = .system, jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) -> some Transport {
        RetryingTransport(base: self, policy: policy, clock: clock, wallClock: wallClock, jitter: jitter)
    }
}

private struct RetryingTransport<Base: Transport, PauseClock: Clock<Duration>>: Transport {
    let base: Base
    let policy: RetryPolicy
    let clock: PauseClock
    let wallClock: WallClock
    let jitter: @Sendable () -> Double

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var tries = 1
        while true {
            switch await verdict(on: request, tries: tries) {
            case .final(let outcome): return try outcome.get()
            case .again(let pause): try await sleep(pause)
            }
            tries += 1
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

private enum Verdict {
    case final(Result<HTTPResponse, TransportError>)
    case again(after: Duration)
}
