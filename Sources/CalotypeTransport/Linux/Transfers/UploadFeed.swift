import CalotypeBase
import CalotypeHTTP
import Foundation

/// Passes a request's body from its task to curl's thread, one chunk at a time, at the server's pace.
final class UploadFeed: Sendable {
    enum Piece {
        case bytes(Int)
        /// No bytes are available. The transfer pauses until the feed calls `wake`.
        case later
        case end
        case failed(TransportError)
    }

    private struct State {
        var chunk = Data()
        var end: Result<Void, TransportError>?
        var isClosed = false
        var isCurlWaiting = false
        var wake: @Sendable () -> Void = {}
        var task: Task<Void, Never>?
    }

    /// The task waits here until curl has taken its last chunk.
    private let state = WaitingRoom<State, Void>(State()) { state, _ in state.chunk.isEmpty || state.isClosed }

    /// Starts reading the body. The feed calls `wake` to resume a paused transfer.
    func start(_ body: HTTPBody, wake: @escaping @Sendable () -> Void) {
        // Create the task under the lock, so that a concurrent `close` finds it.
        let late = state.update { state -> Task<Void, Never>? in
            let task = Task { await self.pump(body) }
            if state.isClosed { return task }
            (state.task, state.wake) = (task, wake)
            return nil
        }
        late?.cancel()
    }

    /// Ends the upload without the rest of the body.
    func close() {
        let task = state.update { state in
            defer { state = State(isClosed: true) }
            return state.task
        }
        task?.cancel()
    }

    /// Copies the next bytes of the body into the buffer of curl's read callback.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Piece {
        state.update { state in
            if state.isClosed { return .failed(.cancelled) }
            guard !state.chunk.isEmpty else {
                switch state.end {
                case .success: return .end
                case .failure(let error): return .failed(error)
                case nil:
                    state.isCurlWaiting = true
                    return .later
                }
            }
            let count = min(buffer.count, state.chunk.count)
            state.chunk.copyBytes(to: buffer, from: state.chunk.startIndex..<state.chunk.startIndex + count)
            state.chunk = state.chunk.dropFirst(count)
            return .bytes(count)
        }
    }

    private func pump(_ body: HTTPBody) async {
        do throws(TransportError) {
            var chunks = body.makeAsyncIterator()
            while let chunk = try await chunks.next() {
                // Wait until curl has taken the previous chunk.
                await state.enterUninterruptibly(())
                guard change({ $0.chunk = chunk }) else {
                    // Read once more in a cancelled task, so that the source stops waiting and its sender can continue.
                    withUnsafeCurrentTask { $0?.cancel() }
                    _ = try await chunks.next()
                    return
                }
            }
            change { $0.end = .success(()) }
        } catch {
            change { $0.end = .failure(error) }
        }
    }

    /// Changes the state and resumes curl if it waits. Returns `false` if the upload is closed.
    @discardableResult
    private func change(_ body: (inout State) -> Void) -> Bool {
        let wake: (@Sendable () -> Void)? = state.update { state in
            guard !state.isClosed else { return nil }
            body(&state)
            defer { state.isCurlWaiting = false }
            return state.isCurlWaiting ? state.wake : {}
        }
        wake?()
        return wake != nil
    }
}
