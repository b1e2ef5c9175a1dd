import CalotypeBase
import CalotypeHTTP
import Foundation

/// Carries a request's body from the connection's thread to the task that reads it, at the reader's pace.
///
/// While too much waits the connection is not read, so that the client's own sending comes to a halt. When the body is not
/// wanted any more, the rest is read and thrown away.
final class UploadPump: Sendable {
    private struct State {
        var chunks: [Data] = []
        var waitingBytes = 0
        var end: Result<Data?, TransportError>?
        var isUnwanted = false
        var isConnectionWaiting = false

        /// Whether there is something to tell the reader.
        var hasNews: Bool { isUnwanted || !chunks.isEmpty || end != nil }

        mutating func keep(_ bytes: Data) {
            waitingBytes += bytes.count
            // A client may send a byte at a time: the pieces that wait stay few.
            if let last = chunks.last, last.count + bytes.count <= UploadPump.limit / 2 {
                chunks[chunks.count - 1].append(bytes)
            } else {
                chunks.append(bytes)
            }
        }

        mutating func takeNext() -> (Result<Data?, TransportError>?, isConnectionWaiting: Bool) {
            guard !isUnwanted, !chunks.isEmpty else {
                // Why the body ended says more than that its reader was cancelled for it.
                if case .failure? = end { return (end, false) }
                return (isUnwanted ? .failure(.cancelled) : end, false)
            }
            let chunk = chunks.removeFirst()
            waitingBytes -= chunk.count
            defer { isConnectionWaiting = false }
            return (.success(chunk), isConnectionWaiting)
        }
    }

    /// Bytes that may wait for the reader before the client is held up.
    private static let limit = 128 << 10

    private let exchange: ClientExchange
    /// Where the reader waits.
    private let state = WaitingRoom<State, Void>(State()) { state, _ in state.hasNews }

    init(for exchange: ClientExchange) {
        self.exchange = exchange
    }

    /// To be read once. Releasing it means that the rest is not wanted.
    func makeBody() -> HTTPBody { HTTPBody(UploadBody(self)) }

    // MARK: The connection's side

    /// Returns whether more may be taken; where not, the exchange says when it may.
    func hasRoom() -> Bool {
        state.update { state in
            state.isConnectionWaiting = !state.isUnwanted && state.waitingBytes >= Self.limit
            return !state.isConnectionWaiting
        }
    }

    func take(_ bytes: Data) {
        state.update { state in
            if !state.isUnwanted { state.keep(bytes) }
        }
    }

    /// The whole body has come.
    func finish() { end(.success(nil)) }

    /// The client left, or broke the rules of chunks.
    func fail() {
        end(.failure(TransportError(.connectionLost, "the client ended its body early")))
    }

    private func end(_ end: Result<Data?, TransportError>) {
        state.update { state in
            if state.end == nil { state.end = end }
        }
    }

    // MARK: The reader's side

    fileprivate func next() async throws(TransportError) -> Data? {
        while true {
            await withTaskCancellationHandler {
                await state.enterUninterruptibly(())
            } onCancel: {
                discardRest()
            }
            let (result, isConnectionWaiting) = state.update { $0.takeNext() }
            if isConnectionWaiting { exchange.proceed() }
            if let result { return try result.get() }
        }
    }

    func discardRest() {
        let isConnectionWaiting = state.update { state in
            defer { state = State(end: state.end, isUnwanted: true) }
            return state.isConnectionWaiting
        }
        if isConnectionWaiting { exchange.proceed() }
    }
}

private final class UploadBody: HTTPBodySource {
    private let pump: UploadPump

    init(_ pump: UploadPump) { self.pump = pump }

    deinit { pump.discardRest() }

    func next() async throws(TransportError) -> Data? { try await pump.next() }
}
