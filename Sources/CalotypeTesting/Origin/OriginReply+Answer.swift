import CalotypeHTTP
import CalotypeListener
import Foundation

extension OriginReply {
    /// Returns the listener's answer. `flight` leaves the log's `inFlight` just before the last byte of the reply.
    func answer(_ flight: Flight) -> ListenerAnswer {
        guard let gate else { return .now(response(flight)) }
        return .later {
            await gate.wait()
            return response(flight)
        }
    }

    private func response(_ flight: Flight) -> ListenerResponse {
        if isReset {
            flight.land()
            return .drop
        }
        return needsStream ? streamed(flight) : whole(flight)
    }

    private var needsStream: Bool {
        if case .whole = pace, cut == nil, !isChunked { return false }
        return true
    }

    private func whole(_ flight: Flight) -> ListenerResponse {
        // Leave `inFlight` before the client has the response and can send its next request: the two do not overlap.
        flight.land()
        var response = ListenerResponse(status: status, fields: fields, body: body)
        if let announced { response.fields["Content-Length"] = "\(announced)" }
        return response
    }

    private func streamed(_ flight: Flight) -> ListenerResponse {
        var head = fields
        if isChunked { head["Content-Length"] = nil }
        return ListenerResponse(
            status: status, fields: head, stream: HTTPBody(OriginBody(self, flight)),
            length: isChunked ? nil : announced ?? body.count)
    }
}
