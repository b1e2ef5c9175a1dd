import CalotypeHTTP
import CalotypeListener
import Foundation

extension OriginReply {
    /// Returns the answer for the listener, which removes `flight` from the log's `inFlight` before its last byte.
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
        // Leave `inFlight` before the client has the response, so that its next request never counts as concurrent.
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
