import CalotypeBase

/// A queue for the loads of a list, which start when scrolling pauses, newest first. Images in memory do not wait.
///
/// All rows of a list share one queue. The list reports its scrolling to the queue, and the rows' loads wait in it.
@MainActor
public final class IdleQueue {
    struct Position: Hashable, Sendable {
        let number: UInt64
    }

    private let quietTime: Duration
    /// The stopwatch's time of the last scroll.
    private var lastScroll: Duration?
    private var starts: [Position: @MainActor () -> Void] = [:]
    private var lastPosition: UInt64 = 0
    private let stopwatch: Stopwatch
    private var waking: Task<Void, Never>?

    /// - Parameters:
    ///   - quietTime: The time without scrolling after which the waiting loads start. 80 ms by default.
    ///   - clock: The clock for that time. The default is `ContinuousClock`.
    public init(quietTime: Duration = .milliseconds(80), clock: any Clock<Duration> = ContinuousClock()) {
        self.quietTime = quietTime
        stopwatch = Stopwatch(clock)
    }

    deinit { waking?.cancel() }

    /// Records that the list has scrolled.
    public func noteScroll() { lastScroll = stopwatch.elapsed() }

    /// Whether the list has not scrolled for the quiet time, so that new loads start at once.
    public var isIdle: Bool { lastScroll.map { stopwatch.elapsed() - $0 >= quietTime } ?? true }

    /// The number of loads in the queue.
    public var waiting: Int { starts.count }

    /// Calls `start` at once if the list is idle, or else when it becomes idle, unless the position is withdrawn first.
    ///
    /// - Returns: The position in the queue, or `nil` if the load has started.
    func add(_ start: @escaping @MainActor () -> Void) -> Position? {
        if isIdle {
            start()
            return nil
        }
        lastPosition += 1
        let position = Position(number: lastPosition)
        starts[position] = start
        wakeLater()
        return position
    }

    func withdraw(_ position: Position) { starts[position] = nil }

    private func wakeLater() {
        guard waking == nil, !starts.isEmpty, let lastScroll else { return }
        let deadline = lastScroll + quietTime
        waking = Task { [weak self, stopwatch] in
            // The sleep is cancelled when the queue is released, and `self` is then `nil`.
            try? await stopwatch.sleep(deadline)
            self?.wake()
        }
    }

    private func wake() {
        waking = nil
        if isIdle {
            // Empty the queue first, because a load that starts may add another.
            let due = starts.sorted { $0.key.number > $1.key.number }
            starts = [:]
            for (_, start) in due { start() }
        }
        wakeLater()
    }
}
