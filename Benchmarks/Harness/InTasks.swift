import Synchronization

/// Runs `work` on all items in `count` tasks, each of which takes the next item when it has finished one.
func inTasks<Item: Sendable>(
    _ count: Int, _ items: [Item], _ work: @escaping @Sendable (Item) async throws -> Void
) async throws {
    let next = Counter()
    let tasks = (0..<count).map { _ in
        Task {
            while true {
                let index = next.take()
                guard index < items.count else { return }
                try await work(items[index])
            }
        }
    }
    for task in tasks { try await task.value }
}

/// Returns 0, 1, 2, … to its callers.
private final class Counter: Sendable {
    private let value = Atomic(0)

    func take() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}
