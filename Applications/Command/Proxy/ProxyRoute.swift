import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import Foundation

/// The route of requests: to the origin of `--origin`, or to the origin that each request names.
struct ProxyRoute: Sendable {
    /// The origin, or `nil` for a forward proxy.
    let origin: HTTPOrigin?
    private let base: String
    private let baseURL: URL?

    struct Destination: Sendable {
        /// The scheme and the authority.
        fileprivate let origin: String
        /// The URL of `origin`, if it has been parsed already.
        fileprivate let ready: URL?
        /// The request target for the origin, byte for byte.
        let target: String

        var originURL: URL {
            get throws(ProxyRefusal) {
                if let ready { return ready }
                return try Self.url(origin)
            }
        }

        var url: URL {
            get throws(ProxyRefusal) { try Self.url(target == "*" ? origin : origin + target) }
        }

        private static func url(_ text: String) throws(ProxyRefusal) -> URL {
            guard let url = URL(text: ByteString(text)) else {
                throw ProxyRefusal(400, "The request target is not a URL.")
            }
            return url
        }
    }

    init(origin: HTTPOrigin?) {
        self.origin = origin
        base = origin.map { "\($0.scheme)://\($0)" } ?? ""
        baseURL = URL(string: base)
    }

    /// Returns the destination. The absolute form overrides Host (RFC 9112 §3.2.2), and --origin overrides both.
    func destination(of request: ListenerRequest) throws(ProxyRefusal) -> Destination {
        guard request.method.rawValue != "CONNECT" else {
            throw ProxyRefusal(405, "This proxy does not support CONNECT.")
        }
        let target = request.target
        if target.utf8.first == UInt8(ascii: "/") || target == "*" {
            guard origin != nil else {
                throw ProxyRefusal(
                    400, "This is a forward proxy: the target must be a whole URL, such as http://example.com/.")
            }
            return Destination(origin: base, ready: baseURL, target: target)
        }
        let absolute = try AbsoluteTarget(target)
        let pathAndQuery = absolute.target(of: request.method)
        if origin != nil { return Destination(origin: base, ready: baseURL, target: pathAndQuery) }
        return Destination(origin: "\(absolute.scheme)://\(absolute.authority)", ready: nil, target: pathAndQuery)
    }
}

/// The absolute form of a request target (RFC 9112 §3.2.2).
private struct AbsoluteTarget {
    let scheme: String
    let authority: Substring
    private let rest: Substring

    init(_ target: String) throws(ProxyRefusal) {
        guard let mark = target.firstRange(of: "://") else {
            throw ProxyRefusal(400, "The request target is not a URL.")
        }
        scheme = target[..<mark.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw ProxyRefusal(400, "This proxy forwards http and https, not \(scheme).")
        }
        let end = target[mark.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? target.endIndex
        authority = target[mark.upperBound..<end]
        rest = target[end...]
        // RFC 9110 §4.2.4: user information in a URL from an untrusted source is an error.
        guard !authority.isEmpty, !authority.contains("@") else {
            throw ProxyRefusal(400, "The request target has no host, or names a user.")
        }
    }

    /// Returns the target without scheme and authority: "*" for OPTIONS without a path (RFC 9112 §3.2.4).
    func target(of method: HTTPMethod) -> String {
        if rest.isEmpty { return method.rawValue == "OPTIONS" ? "*" : "/" }
        return rest.hasPrefix("?") ? "/" + rest : String(rest)
    }
}
