import CalotypeBase
import CalotypeHTTP
import Foundation

/// A pipe for a response's streamed body, from the task that reads the stream to the connection's thread.
///
/// The pump requests a chunk when the connection has taken the previous one, and therefore buffers at most one chunk.
final class BodyPump: Sendable {
    enum Piece: Sendable {
        /// Bytes, never empty.
        case bytes(Data)
        /// No bytes yet; the exchange notifies the connection when there are more.
        case later
        case end
        case failed
    }

    private struct State {
        var next: Data?
        var end: Piece?
        var isClosed = false
        /// Whether the connection needs another chunk.
        var isReaderWaiting = false
        /// Whether the connection has taken all bytes announced by Content-Length. The task then still reads to the end
        /// of the stream, even if the exchange has ended.
        var expectsEnd = false
    }

    private let exchange: ClientExchange
    /// The task waits here until the connection needs another chunk or the pump is closed.
    private let state = WaitingRoom<State, Void>(State()) { state, _ in state.isReaderWaiting || state.isClosed }

    init(_ body: HTTPBody, for exchange: ClientExchange) {
        self.exchange = exchange
        exchange.start { [self] in await pump(body) }
    }

    // MARK: The connection's side

    func take() -> Piece {
        state.update { state in
            if let chunk = state.next {
                state.next = nil
                return .bytes(chunk)
            }
            state.isReaderWaiting = state.end == nil
            return state.end ?? .later
        }
    }

    /// Lets the task read to the end of the body after the connection has taken the last announced byte.
    func expectEnd() {
        state.update { state in
            state.expectsEnd = true
            state.isReaderWaiting = state.end == nil
        }
    }

    // MARK: The task's side

    private func pump(_ body: HTTPBody) async {
        do {
            var chunks = body.makeAsyncIterator()
            while let chunk = try await chunks.next() {
                guard await hand(chunk) else { return }
            }
            finish(.end)
        } catch {
            finish(.failed)
        }
    }

    /// Passes a chunk to the connection, and waits until it needs another. Returns `false` if the pump is closed.
    private func hand(_ chunk: Data) async -> Bool {
        if chunk.isEmpty { return true }
        let (isWanted, isReaderWaiting) = state.update { state in
            guard !state.isClosed else { return (false, false) }
            state.next = chunk
            defer { state.isReaderWaiting = false }
            return (true, state.isReaderWaiting)
        }
        if isReaderWaiting { exchange.proceed() }
        guard isWanted else { return false }
        await withTaskCancellationHandler {
            await state.enterUninterruptibly(())
        } onCancel: {
            close()
        }
        return state.read { $0.expectsEnd || !$0.isClosed }
    }

    private func finish(_ end: Piece) {
        let isReaderWaiting = state.update { state in
            if state.end == nil { state.end = end }
            defer { state.isReaderWaiting = false }
            return state.isReaderWaiting
        }
        if isReaderWaiting { exchange.proceed() }
    }

    private func close() {
        state.update { $0 = State(end: .failed, isClosed: true, expectsEnd: $0.expectsEnd) }
    }
}
