import CalotypeHTTP
import CalotypeListener
import Foundation

/// Where a request goes: to the one origin, or where it says itself.
struct ProxyRoute: Sendable {
    /// Nil: a forward proxy.
    let origin: HTTPOrigin?
    private let base: String

    init(origin: HTTPOrigin?) {
        self.origin = origin
        base = origin.map { "\($0.scheme)://\($0)" } ?? ""
    }

    /// The URL, and the target to ask its origin for, byte for byte.
    ///
    /// RFC 9112 §3.2.2: the absolute form's host wins over Host; an origin server takes the absolute form, too.
    func destination(of request: ListenerRequest) throws(ProxyRefusal) -> (url: URL, target: String) {
        guard request.method.rawValue != "CONNECT" else {
            throw ProxyRefusal(405, "This proxy makes no tunnels: CONNECT is refused.")
        }
        let target = request.target
        if target.hasPrefix("/") || target == "*" {
            guard origin != nil else {
                throw ProxyRefusal(400, "This is a forward proxy: ask for the whole URL, such as http://example.com/.")
            }
            return (try url(base + (target == "*" ? "" : target)), target)
        }
        let absolute = try AbsoluteTarget(target)
        let pathAndQuery = absolute.target(of: request.method)
        if origin != nil { return (try url(base + pathAndQuery), pathAndQuery) }
        return (
            try url("\(absolute.scheme)://\(absolute.authority)" + (pathAndQuery == "*" ? "" : pathAndQuery)),
            pathAndQuery
        )
    }

    private func url(_ text: String) throws(ProxyRefusal) -> URL {
        guard let url = URL(string: text, encodingInvalidCharacters: true) else {
            throw ProxyRefusal(400, "The request target is no URL.")
        }
        return url
    }
}

/// RFC 9112 §3.2.2.
private struct AbsoluteTarget {
    let scheme: String
    let authority: Substring
    private let rest: Substring

    init(_ target: String) throws(ProxyRefusal) {
        guard let mark = target.firstRange(of: "://") else { throw ProxyRefusal(400, "The request target is no URL.") }
        scheme = target[..<mark.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw ProxyRefusal(400, "This proxy forwards http and https, not \(scheme).")
        }
        let end = target[mark.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? target.endIndex
        authority = target[mark.upperBound..<end]
        rest = target[end...]
        // RFC 9110 §4.2.4: a user in a URL from elsewhere is an error.
        guard !authority.isEmpty, !authority.contains("@") else {
            throw ProxyRefusal(400, "The request target names no host, or a user.")
        }
    }

    /// RFC 9112 §3.2.4: without a path OPTIONS asks about the server as a whole.
    func target(of method: HTTPMethod) -> String {
        if rest.isEmpty { return method.rawValue == "OPTIONS" ? "*" : "/" }
        return rest.hasPrefix("?") ? "/" + rest : String(rest)
    }
}
