internal import CalotypeBase
internal import CalotypeHTTP
internal import Foundation

/// The stored part with which a body begins.
enum BodyStart: Sendable {
    case bytes(Data)
    /// A part that is read from the store, and its length.
    case stored(HTTPBody, Int)

    var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .stored(_, let count): count
        }
    }
}

/// A body that begins with a stored part, and goes on with the rest from the origin.
final class ResumedBody: HTTPBodySource {
    private struct State {
        var part: HTTPBody.Iterator?
        var left: Int
        var rest: HTTPBody.Iterator
    }

    private let state: Locked<State>

    init(_ part: HTTPBody, length: Int, before rest: HTTPBody) {
        state = Locked(State(part: part.makeAsyncIterator(), left: length, rest: rest.makeAsyncIterator()))
    }

    func next() async throws(TransportError) -> Data? {
        if let chunk = try await nextOfPart() { return chunk }
        var rest = state.withLock { $0.rest }
        defer { state.withLock { $0.rest = rest } }
        return try await rest.next()
    }

    /// Returns the next chunk of the part, or `nil` after its end. A part of another length than recorded is an error:
    /// the rest would not follow it.
    private func nextOfPart() async throws(TransportError) -> Data? {
        guard var part = state.withLock({ $0.part }) else { return nil }
        let chunk = try await part.next()
        let left = state.withLock { state in
            state.left -= chunk?.count ?? 0
            state.part = chunk == nil ? nil : part
            return state.left
        }
        guard left >= 0, chunk != nil || left == 0 else { throw .storedBodyGone }
        return chunk
    }
}
