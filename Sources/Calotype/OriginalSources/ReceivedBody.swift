import CalotypeHTTP
import Foundation

/// A body that is being received, and its part of the budget.
struct ReceivedBody: Sendable {
    let arrival: ArrivingBody
    let reservation: BodyBudget.Reservation
    /// The length that the body must have although no response announces it: that of a body in two parts; `nil` otherwise.
    let length: Int?

    init(arrival: ArrivingBody, reservation: BodyBudget.Reservation, length: Int? = nil) {
        (self.arrival, self.reservation, self.length) = (arrival, reservation, length)
    }

    init(expecting expected: Int?, isPersonal: Bool, _ budget: BodyBudget) {
        self.init(
            arrival: ArrivingBody(expecting: expected, isPersonal: isPersonal), reservation: budget.reserveArrival())
    }

    /// Reads a body to its end. After a failure, keeps the bytes that have arrived: ``drop()`` releases them.
    func collect(
        _ body: HTTPBody, _ onChunk: (_ received: Int) -> Void
    ) async throws(TransportError) -> Original.Bytes {
        var chunks = body.makeAsyncIterator()
        while let chunk = try await reservation.next(of: &chunks) {
            if let length, chunk.count > length - arrival.count {
                throw TransportError(.malformedResponse, "the rest of a body is longer than its Content-Range says")
            }
            onChunk(arrival.append(chunk))
        }
        if let length, arrival.count < length {
            throw TransportError(.truncatedBody, "the body ended after \(arrival.count) of \(length) bytes")
        }
        let data = arrival.take()
        reservation.settle(data.count)
        return Original.Bytes(data, reservation)
    }

    /// Releases the bytes, because watchers may still hold the object that contains them.
    func drop() { _ = arrival.take() }
}
