import CalotypeBase

/// The loads of a list that wait for scrolling to pause.
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
    private let stopwatch: Stopwatch
    private var waking: Task<Void, Never>?

    /// - Parameters:
    ///   - quietTime: The time for which the list has to rest. 80 ms by default.
    ///   - clock: The clock for that time. The default is `ContinuousClock`.
    public init(quietTime: Duration = .milliseconds(80), clock: any Clock<Duration> = ContinuousClock()) {
        rule = IdleStartQueue(quietTime: quietTime)
        stopwatch = Stopwatch(clock)
    }

    deinit { waking?.cancel() }

    /// Records that the list has scrolled.
    public func noteScroll() {
        rule.scrolled(at: stopwatch.elapsed())
    }

    /// Whether the list rests, so that a miss starts at once.
    public var isIdle: Bool { rule.isIdle(at: stopwatch.elapsed()) }

    /// The number of waiting rows.
    public var waiting: Int { rule.count }

    /// Calls `start` at once if the list rests, otherwise when it comes to rest, unless the position is withdrawn first.
    ///
    /// - Returns: The position in the queue, or `nil` if the load has started.
    func add(_ start: @escaping @MainActor () -> Void) -> Position? {
        if rule.isIdle(at: stopwatch.elapsed()) {
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
        waking = Task { [weak self, stopwatch] in
            // The sleep is cancelled when the queue is released, and `self` is then `nil`.
            try? await stopwatch.sleep(deadline)
            self?.wake()
        }
    }

    private func wake() {
        waking = nil
        // Take all of them first: a start that adds another load must not affect this round.
        for start in rule.takeDue(at: stopwatch.elapsed()).compactMap({ starts.removeValue(forKey: $0) }) { start() }
        wakeLater()
    }
}
