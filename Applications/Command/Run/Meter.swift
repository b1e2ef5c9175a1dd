import CalotypeBase
import CalotypeHTTP
import Foundation

/// A counter of the bytes that all transfers of a run receive, and of the waits before them.
final class Meter: Sendable {
    private struct State {
        var received = 0
        var requests = 0
        var transfers: [Int: (received: Int, expected: Int?)] = [:]
        /// The ends of the waits that servers have requested.
        var waits: [Int: ContinuousClock.Instant] = [:]
    }

    private let state = Locked(State())

    var received: Int { state.withLock { $0.received } }

    /// The progress of the images in flight: two half-loaded images count as 1, and images of unknown length as 0.
    var partial: Double {
        state.withLock { state in
            state.transfers.values.reduce(0) { sum, transfer in
                guard let expected = transfer.expected, expected > 0 else { return sum }
                return sum + min(Double(transfer.received) / Double(expected), 1)
            }
        }
    }

    /// Returns the time until the first of `count` requests is repeated, if so many wait because their servers have
    /// asked for it; otherwise `nil`.
    func wait(ofAll count: Int) -> Duration? {
        state.withLock { state in
            guard state.waits.count >= count, let next = state.waits.values.min() else { return nil }
            return max(next - ContinuousClock.now, .zero)
        }
    }

    /// Notes that a request waits. Returns a closure that ends the wait.
    func wait(for pause: Duration) -> @Sendable () -> Void {
        let number = state.withLock { state in
            state.requests += 1
            state.waits[state.requests] = ContinuousClock.now + pause
            return state.requests
        }
        return { [self] in state.withLock { _ = $0.waits.removeValue(forKey: number) } }
    }

    fileprivate func begin(expecting expected: Int?) -> Int {
        state.withLock { state in
            state.requests += 1
            state.transfers[state.requests] = (0, expected)
            return state.requests
        }
    }

    fileprivate func add(_ count: Int, to transfer: Int) {
        state.withLock { state in
            state.received += count
            state.transfers[transfer]?.received += count
        }
    }

    fileprivate func end(_ transfer: Int) {
        state.withLock { _ = $0.transfers.removeValue(forKey: transfer) }
    }
}

struct MeteredTransport: Transport {
    let base: any Transport
    let meter: Meter

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var response = try await base.send(request)
        response.body = HTTPBody(MeteredBody(response.body, expected: response.contentLength, meter))
        return response
    }
}

private actor MeteredBody: HTTPBodySource {
    private var chunks: HTTPBody.Iterator
    private let meter: Meter
    private let transfer: Int

    init(_ body: HTTPBody, expected: Int?, _ meter: Meter) {
        chunks = body.makeAsyncIterator()
        self.meter = meter
        transfer = meter.begin(expecting: expected)
    }

    deinit { meter.end(transfer) }

    func next() async throws(TransportError) -> Data? {
        // A body has one reader at a time, so `chunks` does not change during this wait.
        var chunks = chunks
        defer { self.chunks = chunks }
        let chunk = try await chunks.next()
        if let chunk { meter.add(chunk.count, to: transfer) }
        return chunk
    }
}
