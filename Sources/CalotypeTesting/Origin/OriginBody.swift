import CalotypeBase
import CalotypeHTTP
import Foundation

/// The body of a reply, sent at the pace chosen by the test.
final class OriginBody: HTTPBodySource {
    private let body: Data
    private let pace: OriginReply.Pace
    private let cut: Int?
    private let endsByLength: Bool
    private let flight: Flight
    private let sent = Locked(0)

    init(_ body: Data, pace: OriginReply.Pace, cut: Int?, endsByLength: Bool, flight: Flight) {
        self.body = body
        self.pace = pace
        self.cut = cut
        self.endsByLength = endsByLength
        self.flight = flight
    }

    func next() async throws(TransportError) -> Data? {
        let position = sent.withLock { $0 }
        guard position < end else { return try finish() }
        let count = min(await wait(at: position), end - position)
        if Task.isCancelled { throw .cancelled }
        let start = body.startIndex + position
        sent.withLock { $0 = position + count }
        // Leave `inFlight` before the client has the last byte, so that its next request never overlaps with this one.
        if endsByLength && position + count == body.count { flight.land() }
        return body[start..<start + count]
    }

    private var end: Int { min(cut ?? body.count, body.count) }

    /// Waits according to the pace and returns the number of bytes to send.
    private func wait(at position: Int) async -> Int {
        switch pace {
        case .whole:
            return body.count
        case .heldAfter(let first, let gate):
            if position < first { return first - position }
            await gate.wait()
            return body.count
        case .dripping(let count, let gate):
            await gate.wait()
            return count
        case .timed(let count, let interval):
            // If cancelled, the sleep returns early; the caller checks for cancellation.
            if position > 0 { try? await Task.sleep(for: interval) }
            return count
        }
    }

    private func finish() throws(TransportError) -> Data? {
        flight.land()
        if cut != nil { throw TransportError(.connectionLost, "the origin hangs up here") }
        return nil
    }
}
