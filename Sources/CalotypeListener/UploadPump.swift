import CMicroHTTPD
import CalotypeHTTP
import Foundation
import ResourceProvider

/// Carries a request's body from the library's thread to the task that reads it, at the reader's pace.
///
/// While too much waits the connection is suspended, so that the client's own sending comes to a halt. When nobody wants
/// the body any more, the rest is read and thrown away.
final class UploadPump: Sendable {
    typealias Reader = CheckedContinuation<Result<Data?, TransportError>, Never>

    private struct State {
        var chunks: [Data] = []
        var waitingBytes = 0
        var end: Result<Data?, TransportError>?
        var isUnwanted = false
        var isConnectionWaiting = false
        var reader: Reader?
    }

    /// Bytes that may wait for the reader before the client is held up.
    private static let limit = 128 << 10

    private let exchange: Exchange
    private let state = Locked(State())

    init(for exchange: Exchange) {
        self.exchange = exchange
    }

    /// To be read once. Letting go of it means that the rest is not wanted.
    func makeBody() -> HTTPBody { HTTPBody(UploadBody(self)) }

    // MARK: The library's side

    /// - Returns: false when there is no room: the connection is suspended, and the same bytes will be offered again.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        exchange.prepareToWait()
        let (isTaken, reader) = state.withLock { state -> (Bool, Reader?) in
            if state.isUnwanted { return (true, nil) }
            if state.waitingBytes >= Self.limit {
                state.isConnectionWaiting = exchange.suspend()
                return (!state.isConnectionWaiting, nil)
            }
            if state.reader == nil {
                state.chunks.append(Data(bytes))
                state.waitingBytes += bytes.count
            }
            defer { state.reader = nil }
            return (true, state.reader)
        }
        reader?.resume(returning: .success(Data(bytes)))
        return isTaken
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
                if isConnectionWaiting { exchange.resume() }
                if let result { reader.resume(returning: result) }
            }
        } onCancel: {
            discardRest()
        }.get()
    }

    private func takeNext(
        _ state: inout State, for reader: Reader
    ) -> (Result<Data?, TransportError>?, isConnectionWaiting: Bool) {
        if state.isUnwanted { return (.failure(.cancelled), false) }
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

    fileprivate func discardRest() {
        let (reader, isConnectionWaiting) = state.withLock { state in
            let old = state
            state = State(end: old.end, isUnwanted: true)
            return (old.reader, old.isConnectionWaiting)
        }
        if isConnectionWaiting { exchange.resume() }
        reader?.resume(returning: .failure(.cancelled))
    }
}

private final class UploadBody: HTTPBodySource {
    private let pump: UploadPump

    init(_ pump: UploadPump) { self.pump = pump }

    deinit { pump.discardRest() }

    func next() async throws(TransportError) -> Data? { try await pump.next() }
}
