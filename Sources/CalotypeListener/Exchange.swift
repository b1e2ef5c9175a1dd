import CMicroHTTPD
import Foundation
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
        /// Whether the answer was handed out: nothing may be written before it any more.
        var isAnswered = false
        var task: Task<Void, Never>?
        /// Interim responses that came before they could be written.
        var interim = Data()
        /// Whether nothing is read from the connection nor written to it by the library.
        var isAtRest = false
    }

    /// Bytes of interim responses that may wait for the end of the request's body.
    private static let interimLimit = 16 << 10

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

    /// The handler's answer is ready. Where the request has ended meanwhile it is let go of at once.
    func deliver(_ response: ListenerResponse) {
        state.withLock { state in
            guard state.connection != nil else { return }
            state.response = response
            state.isAtRest = false
            resume(&state)
        }
    }

    /// The answer if it is ready; otherwise the connection is suspended and the library asks again later.
    ///
    /// To be called once the whole request has come, when the library neither reads nor writes.
    func takeResponse() -> Next {
        register()
        return state.withLock { state in
            if state.outcome != nil { return .gone }
            state.isAtRest = state.response == nil
            guard writeInterim(&state) else { return .gone }
            if let response = state.response {
                // Not kept: its body may lead to the very exchange whose observer holds this one.
                state.response = nil
                state.isAnswered = true
                return .response(response)
            }
            return suspend(&state) ? .suspended : .gone
        }
    }

    /// Writes an interim response to the client, now or as soon as its request has come whole.
    func sendInterim(_ bytes: Data) {
        state.withLock { state in
            guard state.outcome == nil, state.response == nil, !state.isAnswered else { return }
            guard state.interim.count + bytes.count <= Self.interimLimit else { return }
            state.interim.append(bytes)
            guard state.isAtRest, !writeInterim(&state) else { return }
            state.outcome = .clientLeft
            resume(&state)
        }
    }

    /// Past the library, which knows no interim responses of ours: it has nothing to send in this moment.
    ///
    /// - Returns: false when the client does not take them, so that the connection cannot be used any more.
    private func writeInterim(_ state: inout State) -> Bool {
        guard !state.interim.isEmpty, state.connection != nil else { return true }
        defer { state.interim = Data() }
        return state.interim.withUnsafeBytes { bytes in
            send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        } == state.interim.count
    }

    /// To be called before ``suspend()`` by whoever suspends under a lock of its own: what may cancel happens here.
    func prepareToWait() { register() }

    /// Whether the connection is given up.
    var isOver: Bool { state.withLock { $0.outcome != nil || $0.connection == nil } }

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
        // Let go of outside the lock: a body's end may come back here.
        let (task, outcome, unsent) = state.withLock { state in
            defer {
                state.task = nil
                state.response = nil
            }
            state.connection = nil
            return (state.task, state.outcome, state.response)
        }
        withExtendedLifetime(unsent) {}
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
