import CalotypeConcurrency
import CalotypeHTTP

/// A bucket of tokens that fills at a steady rate. Each request takes one, or waits until it can.
final class RateLimiter<PauseClock: Clock<Duration>>: Sendable {
    private let room: WaitingRoom<RateLimiterState<PauseClock.Instant>, Void>

    init(perSecond: Double, burst: Int, queueLimit: Int, clock: PauseClock) {
        let interval = perSecond > 0 && perSecond.isFinite ? Duration.seconds(1 / perSecond) : .zero
        let bucket = RateLimiterState(interval: interval, burst: max(burst, 1), now: clock.now)
        room = WaitingRoom(bucket, queueLimit: queueLimit) { bucket, _ in bucket.takeToken(at: clock.now) }
        room.update { bucket in
            bucket.setAlarm = { [weak room] deadline in
                Task.detached {
                    guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
                    // Lets in those for whom there are tokens; the first who has to go on waiting sets the next alarm.
                    room?.update { $0.alarm = nil }
                }
            }
        }
    }

    deinit { room.update { $0.alarm }?.cancel() }

    /// Returns when a token was taken.
    func pass() async throws(TransportError) {
        if Task.isCancelled { throw .cancelled }
        do throws(Interruption) {
            try await room.enter(())
        } catch {
            throw error == .overloaded ? .overloaded : .cancelled
        }
    }
}

struct RateLimiterState<Instant: InstantProtocol> where Instant.Duration == Duration {
    let interval: Duration
    let burst: Int
    /// Starts a task that wakes those who wait at the given time.
    var setAlarm: (@Sendable (Instant) -> Task<Void, Never>)?
    /// Set while there is no token for the first who waits.
    var alarm: Task<Void, Never>?
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
        guard tokens > 0 else {
            if alarm == nil { alarm = setAlarm?(nextToken) }
            return false
        }
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
