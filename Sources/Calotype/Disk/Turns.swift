import CalotypeBase

/// Queues that serialize the work on each key, first in, first out.
final class Turns: Sendable {
    private struct Queue {
        /// The state is `true` while a task holds the key.
        let room = WaitingRoom<Bool, Void>(false) { isTaken, _ in
            defer { isTaken = true }
            return !isTaken
        }
        /// The number of tasks that hold the key or wait for it.
        var users = 0
    }

    private let queues = Locked([ByteString: Queue]())

    func take<Value, Failure: Error>(
        _ key: ByteString, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let room = queues.withLock { queues in
            var queue = queues[key] ?? Queue()
            queue.users += 1
            queues[key] = queue
            return queue.room
        }
        await room.enterUninterruptibly((), priority: nil)
        defer {
            room.update { $0 = false }
            queues.withLock { queues in
                queues[key]?.users -= 1
                if queues[key]?.users == 0 { queues[key] = nil }
            }
        }
        return try await body()
    }
}
