import CalotypeBase

/// State protected by a lock. Tasks can wait until it meets a condition: `await state.wait { $0.count >= 3 }`.
package final class Watched<State>: Sendable {
    private struct Watcher {
        let condition: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct Guarded {
        var state: State
        var watchers: [UInt64: Watcher] = [:]
        var nextID: UInt64 = 0

        mutating func takeSatisfied() -> [CheckedContinuation<Void, Never>] {
            if watchers.isEmpty { return [] }
            let satisfied = watchers.filter { $0.value.condition(state) }
            for id in satisfied.keys { watchers[id] = nil }
            return satisfied.sorted { $0.key < $1.key }.map(\.value.continuation)
        }
    }

    private let guarded: Locked<Guarded>

    package init(_ initial: sending State) {
        guarded = Locked(Guarded(state: initial))
    }

    package func read<Result>(_ body: (State) -> Result) -> Result {
        guarded.withLock { body($0.state) }
    }

    /// Changes the state, then resumes the tasks whose conditions are now met.
    package func update<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, satisfied) = guarded.withLock { guarded in
            let result = body(&guarded.state)
            return (result, guarded.takeSatisfied())
        }
        for continuation in satisfied { continuation.resume() }
        return result
    }

    /// Suspends until the condition holds; returns at once if it already does. Returns early if the task is cancelled.
    package func wait(until condition: @escaping @Sendable (State) -> Bool) async {
        let id = guarded.withLock { guarded in
            guarded.nextID += 1
            return guarded.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { join(id, Watcher(condition: condition, continuation: $0)) }
        } onCancel: {
            leave(id)
        }
    }

    private func join(_ id: UInt64, _ watcher: Watcher) {
        let mustWait = guarded.withLock { guarded in
            // If the task is already cancelled, `leave` may have run, and would not remove this watcher.
            guard !Task.isCancelled, !watcher.condition(guarded.state) else { return false }
            guarded.watchers[id] = watcher
            return true
        }
        if !mustWait { watcher.continuation.resume() }
    }

    private func leave(_ id: UInt64) {
        let watcher = guarded.withLock { $0.watchers.removeValue(forKey: id) }
        watcher?.continuation.resume()
    }
}
