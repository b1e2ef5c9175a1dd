import CalotypeHTTP
import ResourceProvider

/// A bucket of tokens that fills at a steady rate. Each that passes takes one.
///
/// While somebody waits, one task sleeps until the next token is there; it ends when the last one has passed or left.
final class RateLimiter<PauseClock: Clock<Duration>>: Sendable {
    private let clock: PauseClock
    private let queueLimit: Int
    private let state: Locked<RateLimiterState<PauseClock.Instant>>

    init(perSecond: Double, burst: Int, queueLimit: Int, clock: PauseClock) {
        self.clock = clock
        self.queueLimit = queueLimit
        let interval = perSecond > 0 && perSecond.isFinite ? Duration.seconds(1 / perSecond) : .zero
        state = Locked(RateLimiterState(interval: interval, burst: max(burst, 1), now: clock.now))
    }

    deinit { state.withLock { $0.pump }?.cancel() }

    /// Returns when a token was taken.
    func pass() async throws(TransportError) {
        let waiter = RateWaiter()
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { join(waiter, $0) }
        } onCancel: {
            leave(waiter)
        }
        try outcome.get()
    }

    private func join(_ waiter: RateWaiter, _ continuation: RateWaiter.Continuation) {
        let priority = DynamicPriority.current
        // Before its value is read: a change in between moves the waiter as soon as it waits.
        waiter.observation = priority?.observe { [weak self, weak waiter] in
            guard let self, let waiter, let priority else { return }
            state.withLock { if let ticket = waiter.ticket { $0.queue.move(ticket, to: priority.value) } }
        }
        waiter.continuation = continuation
        let outcome: Result<Void, TransportError>? = state.withLock { state in
            if waiter.phase == .left { return .failure(.cancelled) }
            if state.takeToken(at: clock.now) { return .success(()) }
            guard state.queue.count < queueLimit else { return .failure(.overloaded) }
            waiter.phase = .waiting
            waiter.ticket = state.queue.push(waiter, priority: priority?.value ?? .normal)
            if state.pump == nil { state.pump = startPump(state.nextToken) }
            return nil
        }
        if let outcome { waiter.resume(outcome) }
    }

    private func leave(_ waiter: RateWaiter) {
        let isWaiting = state.withLock { state in
            let wasWaiting = waiter.phase == .waiting
            waiter.phase = .left
            if wasWaiting, let ticket = waiter.ticket { state.queue.remove(ticket) }
            if state.queue.isEmpty {
                state.pump?.cancel()
                state.pump = nil
            }
            return wasWaiting
        }
        if isWaiting { waiter.resume(.failure(.cancelled)) }
    }

    private func startPump(_ first: PauseClock.Instant) -> Task<Void, Never> {
        Task.detached { [weak self, clock] in
            var next: PauseClock.Instant? = first
            while let deadline = next {
                // Cancelled means that nobody waits any more.
                guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
                next = self?.admit()
            }
        }
    }

    /// Lets those pass for whom there is a token. Returns when to come back; nil when nobody waits.
    private func admit() -> PauseClock.Instant? {
        let (admitted, next) = state.withLock { state in
            // A pump that was cancelled when its sleep ended: another one may have taken its place.
            if Task.isCancelled { return ([RateWaiter](), PauseClock.Instant?.none) }
            var admitted: [RateWaiter] = []
            while !state.queue.isEmpty, state.takeToken(at: clock.now), let waiter = state.queue.pop() {
                waiter.phase = .passed
                admitted.append(waiter)
            }
            if state.queue.isEmpty { state.pump = nil }
            return (admitted, state.queue.isEmpty ? nil : state.nextToken)
        }
        for waiter in admitted { waiter.resume(.success(())) }
        return next
    }
}

struct RateLimiterState<Instant: InstantProtocol> where Instant.Duration == Duration {
    let interval: Duration
    let burst: Int
    var queue = PriorityLanes<RateWaiter>()
    var pump: Task<Void, Never>?
    private var tokens: Int
    /// When the next token is there.
    private(set) var nextToken: Instant

    init(interval: Duration, burst: Int, now: Instant) {
        self.interval = interval
        self.burst = burst
        tokens = burst
        nextToken = now.advanced(by: interval)
    }

    mutating func takeToken(at now: Instant) -> Bool {
        guard interval > .zero else { return true }
        fill(until: now)
        guard tokens > 0 else { return false }
        // A full bucket does not fill: the time to the next token starts when one is taken.
        if tokens == burst { nextToken = now.advanced(by: interval) }
        tokens -= 1
        return true
    }

    private mutating func fill(until now: Instant) {
        guard tokens < burst, now >= nextToken else { return }
        let passed = nextToken.duration(to: now) / interval
        let whole = passed < Double(burst) ? Int(passed) : burst
        tokens = min(burst, tokens + 1 + whole)
        nextToken = nextToken.advanced(by: interval * (1 + whole))
    }
}

/// One that waits for a token.
// Unchecked: touched only under the limiter's lock, but for the continuation and the observation, which are set before
// it waits and taken by whoever took it out of `waiting`.
final class RateWaiter: @unchecked Sendable {
    typealias Continuation = UnsafeContinuation<Result<Void, TransportError>, Never>
    enum Phase { case new, waiting, left, passed }

    var phase = Phase.new
    var ticket: PriorityLanes<RateWaiter>.Ticket?
    var continuation: Continuation?
    var observation: DynamicPriority.Observation?

    func resume(_ outcome: Result<Void, TransportError>) {
        observation?.cancel()
        continuation?.resume(returning: outcome)
        continuation = nil
    }
}
