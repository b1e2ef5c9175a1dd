import CalotypeHTTP
import CalotypeListener
import Foundation

/// The proxy's own response, in place of an origin's.
struct ProxyRefusal: Error {
    let status: Int
    let reason: String
    var fields: HTTPFields = [:]

    init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    /// Translates a failed exchange, with the error's code in Cache-Status (RFC 9211 §2.8). Omits the error's message,
    /// which may contain the origin's address or bytes that the origin sent.
    init(_ error: TransportError) {
        switch error.code {
        case .timedOut: self.init(504, "The origin timed out.")
        case .overloaded: self.init(503, "Too many requests are waiting for the origin.")
        case TransportError.Code(rawValue: "notInCache"):
            self.init(504, "The response is not in the cache (only-if-cached).")
        case .malformedURL, .malformedRequest, .unsupportedScheme:
            self.init(400, "The request cannot be forwarded: \(error.code.rawValue).")
        default: self.init(502, "The origin failed: \(error.code.rawValue).")
        }
        fields["Cache-Status"] = "Calotype; fwd=miss; detail=\(error.code.rawValue)"
    }

    var response: ListenerResponse {
        var fields = self.fields
        fields.append("text/plain; charset=utf-8", to: "Content-Type")
        return ListenerResponse(status: status, fields: fields, body: Data("\(reason)\n".utf8))
    }
}
