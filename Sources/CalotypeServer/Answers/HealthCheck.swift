import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import Foundation

// The answers on the port for clients that concern no rendition, whose path has three parts.

extension ListenerRequest {
    /// The answer to GET /health, which is that of imgproxy, or to a path for which balancers, browsers and robots ask any
    /// server; otherwise `nil`.
    var asideAnswer: ListenerResponse? {
        let path = path
        // No path of a rendition is copied.
        guard path.utf8.count <= 12 else { return nil }
        return switch ByteString(path) {
        case "/health": .aside("ok\n")
        case "/": .aside("calotype serve\n")
        case "/favicon.ico", "/robots.txt": .aside("There is none.\n", status: 404, caching: "public, max-age=86400")
        default: nil
        }
    }
}

extension ListenerResponse {
    fileprivate static func aside(_ text: String, status: Int = 200, caching: ByteString = "no-store") -> Self {
        ListenerResponse(
            status: status, fields: ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": caching],
            body: Data(text.utf8))
    }
}
