import CalotypeBase
import CalotypeHTTP
import Foundation

/// Carries a request's body from its task to curl's thread, at the server's pace: one chunk at a time.
final class UploadFeed: Sendable {
    enum Piece {
        case bytes(Int)
        /// Nothing yet: the transfer is to pause until `wake` is called.
        case later
        case end
        case failed(TransportError)
    }

    private struct State {
        var chunk = Data()
        var end: Result<Void, TransportError>?
        var isClosed = false
        var isCurlWaiting = false
        var task: Task<Void, Never>?
    }

    /// Where the task waits until its last chunk was taken.
    private let state = WaitingRoom<State, Void>(State()) { state, _ in state.chunk.isEmpty || state.isClosed }
    private let wake: @Sendable () -> Void

    /// - Parameter wake: lets the paused transfer go on.
    init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    /// Starts to read the body.
    func start(_ body: HTTPBody) {
        // Under the lock, so that whoever closes finds the task.
        let late = state.update { state -> Task<Void, Never>? in
            let task = Task { await self.pump(body) }
            if state.isClosed { return task }
            state.task = task
            return nil
        }
        late?.cancel()
    }

    /// Nobody wants the rest.
    func close() {
        let task = state.update { state in
            defer { state = State(isClosed: true) }
            return state.task
        }
        task?.cancel()
    }

    /// Fills the buffer of curl's read callback.
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
                guard await hand(chunk) else {
                    // A read that is cancelled tells the source: who sends may be held up until then.
                    withUnsafeCurrentTask { $0?.cancel() }
                    _ = try await chunks.next()
                    return
                }
            }
            end(.success(()))
        } catch {
            end(.failure(error))
        }
    }

    /// Waits until the chunk before was taken. False when nobody wants any more.
    private func hand(_ chunk: Data) async -> Bool {
        await state.enterUninterruptibly(())
        return change { $0.chunk = chunk }
    }

    private func end(_ end: Result<Void, TransportError>) {
        _ = change { $0.end = end }
    }

    private func change(_ body: (inout State) -> Void) -> Bool {
        let (isWanted, isCurlWaiting) = state.update { state in
            guard !state.isClosed else { return (false, false) }
            body(&state)
            defer { state.isCurlWaiting = false }
            return (true, state.isCurlWaiting)
        }
        if isCurlWaiting { wake() }
        return isWanted
    }
}
