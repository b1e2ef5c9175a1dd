import CalotypeBase

/// A load that can be cancelled, whether it has begun or not.
final class Load: Sendable {
    private enum State {
        case waiting
        case running(Task<Void, Never>)
        case ended
    }

    private let state = Locked(State.waiting)
    private let body: @Sendable () async -> Void

    init(_ body: @escaping @Sendable () async -> Void) {
        self.body = body
    }

    func cancel() {
        let task: Task<Void, Never>? = state.withLock { state in
            defer { state = .ended }
            if case .running(let task) = state { return task }
            return nil
        }
        task?.cancel()
    }

    fileprivate func start() {
        let body = body
        state.withLock { state in
            if case .waiting = state { state = .running(Task { @concurrent in await body() }) }
        }
    }
}

/// A launcher that starts loads away from the main thread.
///
/// Every task that the main thread creates wakes another thread, which on a busy machine preempts the main thread at
/// once. Here one task starts all loads that arrive together, for example when a list is filled.
final class LoadLauncher: Sendable {
    static let shared = LoadLauncher()

    private let waiting = Locked((isAtWork: false, loads: [Load]()))

    /// Queues the load, which starts soon. The queue needs no limit, because each view has at most one load.
    func launch(_ load: Load) {
        let isFirst = waiting.withLock { waiting in
            waiting.loads.append(load)
            defer { waiting.isAtWork = true }
            return !waiting.isAtWork
        }
        if isFirst { Task { @concurrent in drain() } }
    }

    private func drain() {
        while let loads = next() {
            for load in loads { load.start() }
        }
    }

    private func next() -> [Load]? {
        waiting.withLock { waiting in
            guard !waiting.loads.isEmpty else {
                waiting.isAtWork = false
                return nil
            }
            defer { waiting.loads = [] }
            return waiting.loads
        }
    }
}
