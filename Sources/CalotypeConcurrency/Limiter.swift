/// A room for so many at a time, with a queue by priority in front of its door. A task that enters leaves, once.
package final class Limiter: Sendable {
    private let room: WaitingRoom<Int, Void>

    package init(limit: Int, order: QueueOrder = .firstInFirstOut, queueLimit: Int = .max) {
        let limit = max(limit, 1)
        room = WaitingRoom(0, lastInFirstOut: order == .lastInFirstOut, queueLimit: queueLimit) { inside, _ in
            guard inside < limit else { return false }
            inside += 1
            return true
        }
    }

    /// How many are inside and how many wait.
    package var load: (inside: Int, waiting: Int) { (room.read { $0 }, room.waiting) }

    /// Waits for a place. Throws when the task is cancelled before it has one, and when the queue is full.
    package func enter() async throws(Interruption) {
        if Task.isCancelled { throw .cancelled }
        try await room.enter(())
    }

    /// Waits for a place, cancelled or not.
    package func enterUninterruptibly() async { await room.enterUninterruptibly(()) }

    package func leave() { room.update { $0 -= 1 } }
}
