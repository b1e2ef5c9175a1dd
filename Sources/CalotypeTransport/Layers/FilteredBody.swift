import CalotypeBase
import CalotypeHTTP
import Foundation

/// Changes or watches a body as it passes: fed with a chunk, asked for what comes of it until it needs the next one.
protocol BodyFilter: SendableMetatype {
    mutating func push(_ chunk: Data) throws(TransportError)
    /// Returns the next piece, never empty; `nil` when another chunk is needed.
    mutating func pull() throws(TransportError) -> Data?
    /// Ends the body. Throws if it must not end here.
    mutating func finish() throws(TransportError)
}

extension HTTPBody {
    /// The body as the filter changes it. Each reader of a lazy body gets a filter of its own.
    func filtered(by filter: @escaping @Sendable () -> some BodyFilter) -> HTTPBody {
        wrapped { FilteredBody($0, filter()) }
    }
}

/// A body behind a filter, at the reader's pace.
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
            // Releasing the source ends the transfer behind it.
            state.withLock { $0.chunks = nil }
            throw error
        }
    }
}
