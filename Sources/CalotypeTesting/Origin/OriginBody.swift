import CalotypeBase
import CalotypeHTTP
import Foundation

/// The body of a reply, sent at the pace chosen by the test.
final class OriginBody: HTTPBodySource {
    private let reply: OriginReply
    private let flight: Flight
    private let sent = Locked(0)

    init(_ reply: OriginReply, _ flight: Flight) {
        (self.reply, self.flight) = (reply, flight)
    }

    func next() async throws(TransportError) -> Data? {
        let position = sent.withLock { $0 }
        guard position < end else { return try finish() }
        let count = min(await wait(at: position), end - position)
        if Task.isCancelled { throw .cancelled }
        let start = reply.body.startIndex + position
        sent.withLock { $0 = position + count }
        // Leave `inFlight` before the client has the last byte, so that its next request never counts as concurrent.
        if !reply.isChunked && position + count == reply.body.count { flight.land() }
        return reply.body[start..<start + count]
    }

    private var end: Int { min(reply.cut ?? .max, reply.body.count) }

    /// Waits according to the pace and returns the number of bytes to send.
    private func wait(at position: Int) async -> Int {
        switch reply.pace {
        case .whole:
            return reply.body.count
        case .heldAfter(let first, let gate):
            if position < first { return first - position }
            await gate.wait()
            return reply.body.count
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
        if reply.cut != nil { throw TransportError(.connectionLost, "the origin hangs up here") }
        return nil
    }
}
