/// Misses of one list, waiting for it to rest. Does with a clock and a task what `IdleStartQueue` says.
///
/// One for all rows of a list: the list reports its scrolling here, the rows' bindings wait here.
@MainActor
public final class IdleQueue {
    /// A place in the queue.
    struct Place: Hashable, Sendable {
        let number: UInt64
    }

    private var rule: IdleStartQueue<Place>
    private var starts: [Place: @MainActor () -> Void] = [:]
    private var lastPlace: UInt64 = 0
    private let now: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private var waking: Task<Void, Never>?

    /// - Parameters:
    ///   - quietTime: how long the list has to rest. 80 ms by default.
    ///   - clock: measures it.
    public init<C: Clock>(quietTime: Duration = .milliseconds(80), clock: C) where C.Duration == Duration {
        rule = IdleStartQueue(quietTime: quietTime)
        let zero = clock.now
        now = { zero.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: zero.advanced(by: $0), tolerance: nil) }
    }

    /// Creates a queue that starts its work after a time without motion.
    public convenience init(quietTime: Duration = .milliseconds(80)) {
        self.init(quietTime: quietTime, clock: ContinuousClock())
    }

    deinit { waking?.cancel() }

    /// The list has moved.
    public func noteScroll() {
        rule.scrolled(at: now())
    }

    /// A Boolean value indicating whether the list rests, so that a miss starts at once.
    public var isIdle: Bool { rule.isIdle(at: now()) }

    /// How many rows wait.
    public var waiting: Int { rule.count }

    /// Calls `start` at once where the list rests, otherwise when it does, unless it is withdrawn before.
    ///
    /// - Returns: its place; nil where it has started.
    func add(_ start: @escaping @MainActor () -> Void) -> Place? {
        if rule.isIdle(at: now()) {
            start()
            return nil
        }
        lastPlace += 1
        let place = Place(number: lastPlace)
        rule.add(place)
        starts[place] = start
        wakeLater()
        return place
    }

    func withdraw(_ place: Place) {
        rule.withdraw(place)
        starts[place] = nil
    }

    private func wakeLater() {
        guard waking == nil, let deadline = rule.deadline else { return }
        waking = Task { [weak self, sleep] in
            // Cancelled with the queue itself: then there is nobody to wake.
            try? await sleep(deadline)
            self?.wake()
        }
    }

    private func wake() {
        waking = nil
        // In one go: a start that puts something else off again must not be met by this round.
        for start in rule.takeDue(at: now()).compactMap({ starts.removeValue(forKey: $0) }) { start() }
        wakeLater()
    }
}
