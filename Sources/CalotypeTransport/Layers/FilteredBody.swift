import CalotypeBase
import CalotypeHTTP
import Foundation

/// A filter for a streaming body: it takes a chunk, then returns pieces until it needs the next chunk.
protocol BodyFilter: SendableMetatype {
    mutating func push(_ chunk: Data) throws(TransportError)
    /// Returns the next piece, which is never empty, or `nil` if the filter needs another chunk.
    mutating func pull() throws(TransportError) -> Data?
    /// Ends the body. Throws if the body is incomplete.
    mutating func finish() throws(TransportError)
}

extension HTTPBody {
    /// Returns the body with the filter applied. Each reader of a lazy body gets a separate filter.
    func filtered(by filter: @escaping @Sendable () -> some BodyFilter) -> HTTPBody {
        wrapped { FilteredBody($0, filter()) }
    }
}

private final class FilteredBody<Filter: BodyFilter>: HTTPBodySource {
    private struct State {
        var chunks: HTTPBody.Iterator?
        var filter: Filter
    }

    private let state: Locked<State>

    init(_ body: HTTPBody, _ filter: sending Filter) {
        state = Locked(State(chunks: body.makeAsyncIterator(), filter: filter))
    }

    func next() async throws(TransportError) -> Data? {
        guard var chunks = state.withLock({ $0.chunks }) else { return nil }
        do throws(TransportError) {
            while true {
                if let piece = try state.withLock({ state throws(TransportError) in try state.filter.pull() }) {
                    return piece
                }
                let chunk = try await chunks.next()
                try state.withLock { state throws(TransportError) in
                    state.chunks = chunk == nil ? nil : chunks
                    if let chunk { try state.filter.push(chunk) } else { try state.filter.finish() }
                }
                if chunk == nil { return nil }
            }
        } catch {
            // Releasing the source ends the transfer.
            state.withLock { $0.chunks = nil }
            throw error
        }
    }
}
