import CalotypeHTTP
import Foundation

/// Changes or watches a body as it passes: fed with a chunk, asked for what comes of it until it wants the next one.
protocol BodyFilter: Sendable {
    mutating func push(_ chunk: Data) throws(TransportError)
    /// The next piece, never empty; nil when another chunk is needed.
    mutating func pull() throws(TransportError) -> Data?
    /// The body ended. Throws where it must not end here.
    mutating func finish() throws(TransportError)
}

/// A body behind a filter, at the reader's pace.
// Unchecked: a body source is asked by one task at a time, which is all that touches the state.
final class FilteredBody<Filter: BodyFilter>: HTTPBodySource, @unchecked Sendable {
    private var source: HTTPBody.Iterator?
    private var filter: Filter

    init(_ body: HTTPBody, _ filter: Filter) {
        source = body.makeAsyncIterator()
        self.filter = filter
    }

    func next() async throws(TransportError) -> Data? {
        do throws(TransportError) {
            while source != nil {
                if let piece = try filter.pull() { return piece }
                guard let chunk = try await source?.next() else { break }
                try filter.push(chunk)
            }
            if source != nil { try filter.finish() }
            source = nil
            return nil
        } catch {
            // Letting go of the source ends the transfer behind it.
            source = nil
            throw error
        }
    }
}
