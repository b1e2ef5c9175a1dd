import CalotypeHTTP
import Foundation
import ResourceProvider

/// Carries a streamed body from its task to the library's thread, at the client's pace.
///
/// One chunk is on its way and one more is fetched meanwhile; the source is not asked for a third before the client has
/// taken the first.
final class BodyPump: BodyReader, Sendable {
    private struct State {
        var current = Data()
        var next: Data?
        var end: BodyPiece?
        var isClosed = false
        var isReaderWaiting = false
        var writer: CheckedContinuation<Void, Never>?
    }

    private let exchange: Exchange
    private let state = Locked(State())

    init(_ body: HTTPBody, for exchange: Exchange) {
        self.exchange = exchange
        exchange.start { [self] in await pump(body) }
    }

    // MARK: The library's side

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyPiece {
        exchange.prepareToWait()
        let (piece, writer) = state.withLock { state -> (BodyPiece, CheckedContinuation<Void, Never>?) in
            var writer: CheckedContinuation<Void, Never>?
            if state.current.isEmpty, let next = state.next {
                state.current = next
                state.next = nil
                swap(&writer, &state.writer)
            }
            return (takePiece(into: buffer, &state), writer)
        }
        writer?.resume()
        return piece
    }

    private func takePiece(into buffer: UnsafeMutableRawBufferPointer, _ state: inout State) -> BodyPiece {
        let count = min(buffer.count, state.current.count)
        if count > 0 {
            state.current.copyBytes(to: buffer, from: state.current.startIndex..<state.current.startIndex + count)
            state.current = state.current.dropFirst(count)
            return .bytes(count)
        }
        if let end = state.end {
            // The library calls it an error when the end comes early, and does not tell whose.
            exchange.note(.dropped)
            return end
        }
        // Suspended under the lock: a chunk that comes in this moment resumes after that, not before.
        state.isReaderWaiting = exchange.suspend()
        return state.isReaderWaiting ? .later : .failed
    }

    func close() {
        let writer = state.withLock { state in
            state = State(end: .failed, isClosed: true, writer: state.writer)
            defer { state.writer = nil }
            return state.writer
        }
        writer?.resume()
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

    /// Waits for a free place, and puts the chunk there; false when nobody wants it any more.
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
        if isReaderWaiting { exchange.resume() }
        return isWanted
    }

    private func finish(_ end: BodyPiece) {
        let isReaderWaiting = state.withLock { state in
            if state.end == nil { state.end = end }
            defer { state.isReaderWaiting = false }
            return state.isReaderWaiting
        }
        if isReaderWaiting { exchange.resume() }
    }
}
