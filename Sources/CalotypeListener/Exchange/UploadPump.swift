import CalotypeBase
import CalotypeHTTP
import Foundation

/// A pipe for a request's body, from the connection's thread to the task that reads the body.
///
/// While its buffer is full, the listener does not read from the connection, so that the client has to stop sending.
/// If the body is no longer needed, the listener reads and discards the remaining bytes.
final class UploadPump: Sendable {
    private struct State {
        var chunks: [Data] = []
        var waitingBytes = 0
        var end: Result<Data?, TransportError>?
        var isUnwanted = false
        var isConnectionWaiting = false

        var hasNews: Bool { isUnwanted || !chunks.isEmpty || end != nil }

        mutating func keep(_ bytes: Data) {
            waitingBytes += bytes.count
            // Merges small pieces, because a client may send one byte at a time.
            if let last = chunks.last, last.count + bytes.count <= UploadPump.limit / 2 {
                chunks[chunks.count - 1].append(bytes)
            } else {
                chunks.append(bytes)
            }
        }

        mutating func takeNext() -> (Result<Data?, TransportError>?, isConnectionWaiting: Bool) {
            guard !isUnwanted, !chunks.isEmpty else {
                // Report the failure, not the cancellation that follows it.
                if case .failure? = end { return (end, false) }
                return (isUnwanted ? .failure(.cancelled) : end, false)
            }
            let chunk = chunks.removeFirst()
            waitingBytes -= chunk.count
            defer { isConnectionWaiting = false }
            return (.success(chunk), isConnectionWaiting)
        }
    }

    /// The number of buffered bytes at which the listener stops reading from the client.
    private static let limit = 128 << 10

    private let exchange: ClientExchange
    /// The reader waits here until there is a chunk, or the body has ended or is discarded.
    private let state = WaitingRoom<State, Void>(State()) { state, _ in state.hasNews }

    init(for exchange: ClientExchange) {
        self.exchange = exchange
    }

    /// Returns the body, which can be read once. Its release discards the bytes not yet read.
    func makeBody() -> HTTPBody { HTTPBody(UploadBody(self)) }

    // MARK: The connection's side

    /// Returns `true` if the pump accepts more bytes. If not, the pump notifies the connection as soon as it does.
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

    func finish() { end(.success(nil)) }

    /// Ends the body with an error, unless its last byte has arrived.
    func fail() {
        end(.failure(TransportError(.connectionLost, "the client ended its body early")))
    }

    /// Ends the body because it arrives too slowly. Returns `false` if it has ended before.
    func giveUp() -> Bool { end(.failure(TransportError(.timedOut, "the body arrives too slowly"))) }

    /// Whether the body was ended because it arrived too slowly.
    var wasGivenUp: Bool {
        state.read { state in
            guard case .failure(let error)? = state.end else { return false }
            return error.code == .timedOut
        }
    }

    @discardableResult private func end(_ end: Result<Data?, TransportError>) -> Bool {
        state.update { state in
            guard state.end == nil else { return false }
            state.end = end
            return true
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
