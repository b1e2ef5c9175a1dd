/// The loads of a list that wait for scrolling to pause. Applies the rules of `IdleStartQueue` with a clock and a task.
///
/// All rows of a list share one queue. The list reports its scrolling to it, and the rows' bindings wait in it.
@MainActor
public final class IdleQueue {
    /// A position in the queue.
    struct Position: Hashable, Sendable {
        let number: UInt64
    }

    private var rule: IdleStartQueue<Position>
    private var starts: [Position: @MainActor () -> Void] = [:]
    private var lastPosition: UInt64 = 0
    private let now: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private var waking: Task<Void, Never>?

    /// - Parameters:
    ///   - quietTime: The time for which the list has to rest. 80 ms by default.
    ///   - clock: The clock for that time.
    public init<C: Clock>(quietTime: Duration = .milliseconds(80), clock: C) where C.Duration == Duration {
        rule = IdleStartQueue(quietTime: quietTime)
        let zero = clock.now
        now = { zero.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: zero.advanced(by: $0), tolerance: nil) }
    }

    /// Creates a queue that starts its loads after a time without scrolling.
    public convenience init(quietTime: Duration = .milliseconds(80)) {
        self.init(quietTime: quietTime, clock: ContinuousClock())
    }

    deinit { waking?.cancel() }

    /// Records that the list has scrolled.
    public func noteScroll() {
        rule.scrolled(at: now())
    }

    /// Whether the list rests, so that a miss starts at once.
    public var isIdle: Bool { rule.isIdle(at: now()) }

    /// The number of waiting rows.
    public var waiting: Int { rule.count }

    /// Calls `start` at once if the list rests, otherwise when it comes to rest, unless the position is withdrawn first.
    ///
    /// - Returns: The position in the queue, or `nil` if the load has started.
    func add(_ start: @escaping @MainActor () -> Void) -> Position? {
        if rule.isIdle(at: now()) {
            start()
            return nil
        }
        lastPosition += 1
        let position = Position(number: lastPosition)
        rule.add(position)
        starts[position] = start
        wakeLater()
        return position
    }

    func withdraw(_ position: Position) {
        rule.withdraw(position)
        starts[position] = nil
    }

    private func wakeLater() {
        guard waking == nil, let deadline = rule.deadline else { return }
        waking = Task { [weak self, sleep] in
            // The sleep is cancelled when the queue is released, and `self` is then `nil`.
            try? await sleep(deadline)
            self?.wake()
        }
    }

    private func wake() {
        waking = nil
        // Take all of them first: a start that adds another load must not affect this round.
        for start in rule.takeDue(at: now()).compactMap({ starts.removeValue(forKey: $0) }) { start() }
        wakeLater()
    }
}
