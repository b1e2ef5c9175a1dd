import CalotypeBase
import CalotypeHTTP
import Glibc

struct ProxyServer: Hashable {
    let url: String
    let host: String
    let port: Int
    private let scheme: ByteString

    /// - Parameter url: A URL in curl's format. The default scheme is http.
    init(_ url: String) {
        self.url = url
        let parts = ByteString(url).split(separator: UInt8(ascii: ":"), maxSplits: 1)
        let hasScheme = parts.count > 1 && parts[1].hasPrefix("//")
        scheme = hasScheme ? parts[0].lowercasedASCII : "http"
        let rest = (hasScheme ? parts[1].dropFirst(2) : ByteString(url)).bytes
        let authority = rest.prefix { ![UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
        let place = authority[(authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? 0)...]
        // An IPv6 address is in brackets.
        let end =
            place.lastIndex(of: UInt8(ascii: "]")).map { $0 + 1 } ?? place.lastIndex(of: UInt8(ascii: ":"))
            ?? place.endIndex
        host = ByteString(bytes: place[..<end]).withoutBrackets.lowercasedASCII.string
        port = ByteString(bytes: place[end...].dropFirst()).asDigits ?? (scheme == "https" ? 443 : 1080)
    }

    /// Whether the proxy needs the origin's numeric address. Other proxies get the name and look it up.
    var wantsAddress: Bool { scheme == "socks" || scheme == "socks4" || scheme == "socks5" }
    var isSecure: Bool { scheme == "https" }
}

extension CurlTransport.Proxy {
    /// Returns the proxy for requests to an origin, or `nil` for a direct connection. curl cannot choose: the names on
    /// the route are looked up before curl gets the request.
    func server(for origin: HTTPOrigin) -> ProxyServer? {
        guard let url = url ?? Self.environmentURL(for: origin), !url.isEmpty else { return nil }
        let exceptions = Self.variable("no_proxy") ?? Self.variable("NO_PROXY") ?? ""
        return NoProxyList(exceptions).contains(origin.host.string) ? nil : ProxyServer(url)
    }

    /// Returns the environment's proxy. Ignores "HTTP_PROXY", which CGI sets from a request field named Proxy.
    private static func environmentURL(for origin: HTTPOrigin) -> String? {
        let own = origin.isSecure ? variable("https_proxy") ?? variable("HTTPS_PROXY") : variable("http_proxy")
        return own ?? variable("all_proxy") ?? variable("ALL_PROXY")
    }

    /// Returns the value of an environment variable, or `nil` if it is unset or, as in curl, empty.
    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}

/// The hosts to reach without a proxy, as listed in `no_proxy`: "*" for all, domain names (which include their
/// subdomains), addresses, or networks such as "10.0.0.0/8".
struct NoProxyList {
    private let entries: [ByteString]

    init(_ text: String) {
        entries = text.utf8.split { [UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\t")].contains($0) }
            .map { ByteString(bytes: $0).lowercasedASCII }
    }

    func contains(_ host: String) -> Bool {
        if entries == ["*"] { return true }
        let host = ByteString(host).withoutBrackets.lowercasedASCII
        guard let address = Self.bytes(of: host) else { return entries.contains { Self.matches($0, name: host) } }
        return entries.contains { Self.matches($0, address: address) }
    }

    private static func matches(_ entry: ByteString, name: ByteString) -> Bool {
        let domain = (entry.hasPrefix(".") ? entry.dropFirst() : entry).withoutRootDot
        let name = name.withoutRootDot
        return !domain.isEmpty && (name == domain || name.hasSuffix(".\(domain)"))
    }

    private static func matches(_ entry: ByteString, address: [UInt8]) -> Bool {
        let parts = entry.split(separator: UInt8(ascii: "/"), maxSplits: 1)
        guard let network = bytes(of: parts[0].withoutBrackets), network.count == address.count else { return false }
        let all = address.count * 8
        guard let bits = parts.count > 1 ? parts[1].asDigits : all, bits <= all else { return false }
        return (0..<bits).allSatisfy { bit in
            let mask: UInt8 = 0x80 >> UInt8(bit % 8)
            return network[bit / 8] & mask == address[bit / 8] & mask
        }
    }

    private static func bytes(of address: ByteString) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        return address.withCString { text in
            if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
            return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
        }
    }
}

extension ByteString {
    /// The text without brackets, such as those around an IPv6 address.
    var withoutBrackets: ByteString {
        ByteString(bytes: bytes.filter { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") })
    }

    /// The name without the final dot that denotes the root.
    fileprivate var withoutRootDot: ByteString { hasSuffix(".") ? ByteString(bytes: bytes.dropLast()) : self }
}
