import CalotypeConcurrency
import CalotypeHTTP
import Foundation

/// Carries a streamed body from its task to the connection's thread, at the client's pace.
///
/// One chunk is on its way and one more is fetched meanwhile; the source is not asked for a third before the client has
/// taken the first.
final class BodyPump: Sendable {
    enum Piece: Sendable {
        /// Never empty.
        case bytes(Data)
        /// The exchange will say when there is more.
        case later
        case end
        case failed
    }

    private struct State {
        var next: Data?
        var end: Piece?
        var isClosed = false
        var isReaderWaiting = false
        var writer: CheckedContinuation<Void, Never>?
    }

    private let exchange: ClientExchange
    private let state = Locked(State())

    init(_ body: HTTPBody, for exchange: ClientExchange) {
        self.exchange = exchange
        exchange.start { [self] in await pump(body) }
    }

    // MARK: The connection's side

    func take() -> Piece {
        let (piece, writer) = state.withLock { state -> (Piece, CheckedContinuation<Void, Never>?) in
            guard let chunk = state.next else {
                state.isReaderWaiting = state.end == nil
                return (state.end ?? .later, nil)
            }
            state.next = nil
            defer { state.writer = nil }
            return (.bytes(chunk), state.writer)
        }
        writer?.resume()
        return piece
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

    /// Waits for a free place, and puts the chunk there; false when it is not wanted any more.
    private func hand(_ chunk: Data) async -> Bool {
        if chunk.isEmpty { return true }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard state.next != nil, !state.isClosed else { return false }
                    state.writer = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            close()
        }
        let (isWanted, isReaderWaiting) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.next = chunk
            defer { state.isReaderWaiting = false }
            return (true, state.isReaderWaiting)
        }
        if isReaderWaiting { exchange.proceed() }
        return isWanted
    }

    private func finish(_ end: Piece) {
        let isReaderWaiting = state.withLock { state in
            if state.end == nil { state.end = end }
            defer { state.isReaderWaiting = false }
            return state.isReaderWaiting
        }
        if isReaderWaiting { exchange.proceed() }
    }

    private func close() {
        let writer = state.withLock { state in
            state = State(end: .failed, isClosed: true, writer: state.writer)
            defer { state.writer = nil }
            return state.writer
        }
        writer?.resume()
    }
}
