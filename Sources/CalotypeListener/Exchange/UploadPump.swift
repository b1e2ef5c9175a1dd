import CalotypeConcurrency
import CalotypeHTTP
import Foundation

/// Carries a request's body from the connection's thread to the task that reads it, at the reader's pace.
///
/// While too much waits the connection is not read, so that the client's own sending comes to a halt. When the body is not
/// wanted any more, the rest is read and thrown away.
final class UploadPump: Sendable {
    typealias Reader = CheckedContinuation<Result<Data?, TransportError>, Never>

    private struct State {
        var chunks: [Data] = []
        var waitingBytes = 0
        var end: Result<Data?, TransportError>?
        var isUnwanted = false
        var isConnectionWaiting = false
        var reader: Reader?

        mutating func keep(_ bytes: Data) {
            waitingBytes += bytes.count
            // A client may send a byte at a time: the pieces that wait stay few.
            if let last = chunks.last, last.count + bytes.count <= UploadPump.limit / 2 {
                chunks[chunks.count - 1].append(bytes)
            } else {
                chunks.append(bytes)
            }
        }
    }

    /// Bytes that may wait for the reader before the client is held up.
    private static let limit = 128 << 10

    private let exchange: ClientExchange
    private let state = Locked(State())

    init(for exchange: ClientExchange) {
        self.exchange = exchange
    }

    /// To be read once. Releasing it means that the rest is not wanted.
    func makeBody() -> HTTPBody { HTTPBody(UploadBody(self)) }

    // MARK: The connection's side

    /// Returns whether more may be taken; where not, the exchange says when it may.
    func hasRoom() -> Bool {
        state.withLock { state in
            state.isConnectionWaiting = !state.isUnwanted && state.waitingBytes >= Self.limit
            return !state.isConnectionWaiting
        }
    }

    func take(_ bytes: Data) {
        let reader = state.withLock { state -> Reader? in
            if state.isUnwanted { return nil }
            if state.reader == nil { state.keep(bytes) }
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: .success(bytes))
    }

    /// The whole body has come.
    func finish() { end(.success(nil)) }

    /// The client left, or broke the rules of chunks.
    func fail() {
        end(.failure(TransportError(.connectionLost, "the client ended its body early")))
    }

    private func end(_ end: Result<Data?, TransportError>) {
        let reader = state.withLock { state in
            guard state.end == nil else { return Reader?.none }
            state.end = end
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: end)
    }

    // MARK: The reader's side

    fileprivate func next() async throws(TransportError) -> Data? {
        try await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                let (result, isConnectionWaiting) = state.withLock { state in takeNext(&state, for: reader) }
                if isConnectionWaiting { exchange.proceed() }
                if let result { reader.resume(returning: result) }
            }
        } onCancel: {
            discardRest()
        }.get()
    }

    private func takeNext(
        _ state: inout State, for reader: Reader
    ) -> (Result<Data?, TransportError>?, isConnectionWaiting: Bool) {
        if state.isUnwanted {
            // Why the body ended says more than that its reader was cancelled for it.
            if case .failure(let error)? = state.end { return (.failure(error), false) }
            return (.failure(.cancelled), false)
        }
        if !state.chunks.isEmpty {
            let chunk = state.chunks.removeFirst()
            state.waitingBytes -= chunk.count
            defer { state.isConnectionWaiting = false }
            return (.success(chunk), state.isConnectionWaiting)
        }
        if let end = state.end { return (end, false) }
        state.reader = reader
        return (nil, false)
    }

    func discardRest() {
        let (reader, isConnectionWaiting) = state.withLock { state in
            let old = state
            state = State(end: old.end, isUnwanted: true)
            return (old.reader, old.isConnectionWaiting)
        }
        if isConnectionWaiting { exchange.proceed() }
        reader?.resume(returning: .failure(.cancelled))
    }
}

private final class UploadBody: HTTPBodySource {
    private let pump: UploadPump

    init(_ pump: UploadPump) { self.pump = pump }

    deinit { pump.discardRest() }

    func next() async throws(TransportError) -> Data? { try await pump.next() }
}
