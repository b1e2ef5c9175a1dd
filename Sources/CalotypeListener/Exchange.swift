import CMicroHTTPD
import ResourceProvider

/// A request whose answer takes a while, or whose body comes in pieces: waiting, resuming, and giving up.
///
/// The library's thread asks and suspends; tasks deliver and resume; the watcher and `stop()` give up. Every step
/// happens under one lock, so that the connection is resumed exactly once for each time it was suspended.
final class Exchange: Sendable {
    enum Next: Sendable { case response(ListenerResponse), suspended, gone }

    private struct State {
        /// Nil once the request has ended, when the pointer is not to be used any more.
        var connection: ConnectionPointer?
        var isWatched = false
        var isSuspended = false
        var outcome: Listener.Outcome?
        var response: ListenerResponse?
        var task: Task<Void, Never>?
    }

    let id: UInt64
    private let core: ListenerCore
    private let descriptor: Int32
    private let state: Locked<State>

    init(id: UInt64, core: ListenerCore, connection: OpaquePointer) {
        self.id = id
        self.core = core
        descriptor = calotype_mhd_descriptor(connection)
        state = Locked(State(connection: ConnectionPointer(raw: connection)))
    }

    /// Runs `work` until the exchange ends.
    func start(_ work: @escaping @Sendable () async -> Void) {
        let task = Task { await work() }
        let isOver = state.withLock { state in
            guard state.connection != nil, state.outcome == nil else { return true }
            state.task = task
            return false
        }
        if isOver { task.cancel() }
    }

    /// The handler's answer is ready.
    func deliver(_ response: ListenerResponse) {
        state.withLock { state in
            state.response = response
            resume(&state)
        }
    }

    /// The answer if it is ready; otherwise the connection is suspended and the library asks again later.
    func takeResponse() -> Next {
        register()
        return state.withLock { state in
            if state.outcome != nil { return .gone }
            if let response = state.response { return .response(response) }
            return suspend(&state) ? .suspended : .gone
        }
    }

    /// Suspends the connection until ``resume()``; false when there is nothing to wait for any more.
    func suspend() -> Bool {
        register()
        return state.withLock { $0.outcome == nil && suspend(&$0) }
    }

    func resume() {
        state.withLock { resume(&$0) }
    }

    /// What it is called if the library ends it without success, unless something else was noted before.
    func note(_ outcome: Listener.Outcome) {
        state.withLock { state in
            if state.outcome == nil { state.outcome = outcome }
        }
    }

    /// Gives up: the work is cancelled, and the library closes the connection as soon as it asks again.
    func abandon(_ outcome: Listener.Outcome) {
        let task = state.withLock { state in
            if state.outcome == nil { state.outcome = outcome }
            resume(&state)
            return state.task
        }
        task?.cancel()
    }

    /// The library is done with the request. Returns what was known of its outcome.
    func end() -> Listener.Outcome? {
        core.didEnd(self, on: descriptor)
        let (task, outcome) = state.withLock { state in
            defer { state.task = nil }
            state.connection = nil
            return (state.task, state.outcome)
        }
        task?.cancel()
        return outcome
    }

    private func register() {
        let isNew = state.withLock { state in
            defer { state.isWatched = true }
            return !state.isWatched
        }
        if isNew && !core.willWait(self, on: descriptor) { abandon(.dropped) }
    }

    private func suspend(_ state: inout State) -> Bool {
        guard let connection = state.connection else { return false }
        MHD_suspend_connection(connection.raw)
        state.isSuspended = true
        return true
    }

    private func resume(_ state: inout State) {
        guard state.isSuspended, let connection = state.connection else { return }
        state.isSuspended = false
        MHD_resume_connection(connection.raw)
    }
}

// Unchecked: the library allows any thread to suspend and resume a connection, and nothing else is done with it.
private struct ConnectionPointer: @unchecked Sendable {
    let raw: OpaquePointer
}
