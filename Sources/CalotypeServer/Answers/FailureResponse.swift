import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import Foundation

// The response for an error: to the cache of results, which keeps some for seconds, and to clients.

extension ServerError {
    /// The lifetime of the response if the source itself is at fault, in seconds.
    static let lifetime = 10

    var cacheControl: ByteString { isLasting ? "public, max-age=\(Self.lifetime)" : "no-store" }

    var body: Data { Data("\(message)\n".utf8) }

    func fields(cacheControl: ByteString) -> HTTPFields {
        var fields: HTTPFields = [
            "Content-Type": "text/plain; charset=utf-8", "Cache-Control": cacheControl,
            "Content-Length": "\(body.count)",
        ]
        fields.protect()
        return fields
    }
}

extension ListenerResponse {
    /// Creates the response for an error. No cache may store the response.
    init(_ error: ServerError) {
        var fields = error.fields(cacheControl: "no-store")
        fields["Content-Length"] = nil
        if error.status == 503 { fields["Retry-After"] = "\(error.retryAfter ?? 1)" }
        self.init(status: error.status, fields: fields, body: error.body)
    }
}

/// The responses of a full queue, which differ only in Retry-After: each is serialized once.
final class PreparedRefusals: Sendable {
    private let responses = Locked([Int: PreparedResponse]())

    /// - Parameter error: An error of `queueFull`, whose Retry-After is one of sixty.
    subscript(_ error: ServerError) -> PreparedResponse {
        let key = error.retryAfter ?? 1
        if let known = responses.withLock({ $0[key] }) { return known }
        let prepared = PreparedResponse(ListenerResponse(error))
        responses.withLock { $0[key] = prepared }
        return prepared
    }
}

extension HTTPFields {
    /// Adds fields that keep browsers from running a response as a document or script, and let other sites embed it.
    mutating func protect() {
        self["X-Content-Type-Options"] = "nosniff"
        // A drawing may have styles and images of its own, and no script.
        let isDrawing = self["Content-Type"] == "image/svg+xml"
        self["Content-Security-Policy"] =
            isDrawing
            ? "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
            : "default-src 'none'; sandbox"
        self["Cross-Origin-Resource-Policy"] = "cross-origin"
    }
}
