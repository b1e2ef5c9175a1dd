import Foundation

/// A watch of the pointer, which notices that it has not moved for two seconds.
@MainActor
final class PointerRest {
    static let delay = Duration.seconds(2)

    private let sleep: @Sendable (Duration) async throws -> Void
    private var waiting: Task<Void, Never>?
    private var latest: CGPoint?

    /// Whether the pointer rests. `false` unless ``isWatching``.
    private(set) var isResting = false {
        didSet { if isResting != oldValue { onChange?(isResting) } }
    }
    var onChange: (@MainActor (_ isResting: Bool) -> Void)?

    init(_ clock: any Clock<Duration>) {
        sleep = { try await clock.sleep(for: $0) }
    }

    deinit { waiting?.cancel() }

    var isWatching = false {
        didSet { if isWatching != oldValue { restart() } }
    }

    /// Notes a position of the pointer. GTK reports the same position again when the widgets under the pointer change.
    func move(to point: CGPoint) {
        guard point != latest else { return }
        latest = point
        restart()
    }

    /// Begins to wait again, as after a movement.
    func restart() {
        waiting?.cancel()
        waiting = nil
        isResting = false
        guard isWatching else { return }
        waiting = Task { [weak self, sleep] in
            guard (try? await sleep(PointerRest.delay)) != nil, !Task.isCancelled else { return }
            self?.isResting = true
        }
    }
}
