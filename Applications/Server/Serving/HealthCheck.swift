import CalotypeHTTP
import CalotypeListener
import Foundation

// GET /health on the port for clients, as imgproxy answers it. It never is a rendition, whose path has three parts.

extension ListenerRequest {
    var isForHealth: Bool { path.utf8.elementsEqual("/health".utf8) }
}

extension ListenerResponse {
    static let healthy = ListenerResponse(
        fields: ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"], body: Data("ok\n".utf8))
}
