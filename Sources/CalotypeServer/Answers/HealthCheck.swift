import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import Foundation

/// The answers on the port for clients that concern no rendition, whose path has three parts: that of imgproxy to
/// GET /health, and those to paths for which balancers, browsers and robots ask any server.
struct AsideAnswers: Sendable {
    private let healthPaths: Set<ByteString>
    private let longest: Int

    init(_ options: ServingOptions) {
        healthPaths = Set(["/health", "\(options.pathPrefix)/health"] + [options.healthPath].compactMap(\.self))
        longest = max(12, healthPaths.map(\.count).max() ?? 0)
    }

    /// Returns `nil` for other paths.
    func answer(to request: ListenerRequest) -> ListenerResponse? {
        let path = request.path
        // No path of a rendition is copied.
        guard path.utf8.count <= longest else { return nil }
        let text = ByteString(path)
        if healthPaths.contains(text) { return .aside("ok\n") }
        return switch text {
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
