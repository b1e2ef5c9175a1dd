import CalotypeBase
import CalotypeHTTP
import Glibc

/// The proxy by which the requests to one origin go.
struct ProxyServer: Hashable {
    /// For curl.
    let url: String
    let host: String
    let port: Int
    private let scheme: ByteString

    /// - Parameter url: as curl takes it. The scheme is http where it has none.
    init(_ url: String) {
        self.url = url
        let parts = ByteString(url).split(separator: UInt8(ascii: ":"), maxSplits: 1)
        let hasScheme = parts.count > 1 && parts[1].hasPrefix("//")
        scheme = hasScheme ? parts[0].lowercasedASCII : "http"
        let rest = (hasScheme ? parts[1].dropFirst(2) : ByteString(url)).bytes
        let authority = rest.prefix { ![UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
        let place = authority[(authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? 0)...]
        // An IPv6 address stands in brackets.
        let end =
            place.lastIndex(of: UInt8(ascii: "]")).map { $0 + 1 } ?? place.lastIndex(of: UInt8(ascii: ":"))
            ?? place.endIndex
        host = ByteString(bytes: place[..<end]).withoutBrackets.lowercasedASCII.string
        port = ByteString(bytes: place[end...].dropFirst()).asDigits ?? (scheme == "https" ? 443 : 1080)
    }

    /// Whether curl looks up the origin's name itself. Other proxies get the name.
    var wantsAddress: Bool { scheme == "socks" || scheme == "socks4" || scheme == "socks5" }
    var isSecure: Bool { scheme == "https" }
}

extension CurlTransport.Proxy {
    /// The proxy for requests to an origin. If `nil`, they go straight to it.
    ///
    /// Decided here and not by curl, because the host that curl connects to is looked up before curl has the request.
    func server(for origin: HTTPOrigin) -> ProxyServer? {
        guard let url = url ?? Self.environmentURL(for: origin), !url.isEmpty else { return nil }
        let exceptions = Self.variable("no_proxy") ?? Self.variable("NO_PROXY") ?? ""
        return NoProxyList(exceptions).contains(origin.host.string) ? nil : ProxyServer(url)
    }

    /// "HTTP_PROXY" is what CGI makes of a request's field, and is not read.
    private static func environmentURL(for origin: HTTPOrigin) -> String? {
        let own = origin.isSecure ? variable("https_proxy") ?? variable("HTTPS_PROXY") : variable("http_proxy")
        return own ?? variable("all_proxy") ?? variable("ALL_PROXY")
    }

    /// Like curl, takes an empty variable for none.
    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}

/// Hosts that are asked without a proxy, as `no_proxy` lists them: "*", names with all below them, addresses, and
/// networks such as "10.0.0.0/8".
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
            (network[bit / 8] ^ address[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
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
    /// The address of an IPv6 literal.
    var withoutBrackets: ByteString {
        ByteString(bytes: bytes.filter { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") })
    }

    /// Without the dot of the root at the end.
    fileprivate var withoutRootDot: ByteString { hasSuffix(".") ? ByteString(bytes: bytes.dropLast()) : self }
}
