import CalotypeHTTP
import Glibc

/// The proxy by which the requests to one origin go.
struct ProxyServer: Hashable {
    /// For curl.
    let url: String
    let host: String
    let port: Int
    private let scheme: String

    /// - Parameter url: as curl takes it. The scheme is http where it has none.
    init(_ url: String) {
        self.url = url
        let scheme = url.firstRange(of: "://")
        self.scheme = scheme.map { url[..<$0.lowerBound].lowercased() } ?? "http"
        let authority = url[(scheme?.upperBound ?? url.startIndex)...].prefix { !"/?#".contains($0) }
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        // An IPv6 address stands in brackets.
        let end = place.lastIndex(of: "]").map(place.index(after:)) ?? place.lastIndex(of: ":") ?? place.endIndex
        host = place[..<end].filter { !"[]".contains($0) }.lowercased()
        port = Int(place[end...].dropFirst()) ?? (self.scheme == "https" ? 443 : 1080)
    }

    /// Whether curl looks up the origin's name itself. Other proxies get the name.
    var wantsAddress: Bool { ["socks", "socks4", "socks5"].contains(scheme) }
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
    private let entries: [Substring]

    init(_ text: String) { entries = text.split { ", \t".contains($0) } }

    func contains(_ host: String) -> Bool {
        if entries == ["*"] { return true }
        let host = host.filter { !"[]".contains($0) }.lowercased()
        let bytes = Self.bytes(of: host)
        return entries.contains { entry in
            bytes.map { Self.matches(entry, address: $0) } ?? Self.matches(entry.lowercased(), name: host)
        }
    }

    private static func matches(_ entry: String, name: String) -> Bool {
        let entry = trimmed(entry, both: true)
        let name = trimmed(name, both: false)
        return !entry.isEmpty && (name == entry || name.hasSuffix("." + entry))
    }

    /// Without the dot of the root at the end, and if `both`, without one at the start.
    private static func trimmed(_ name: String, both: Bool) -> String {
        let rest = name.hasSuffix(".") ? name.dropLast() : name[...]
        return String(both && rest.hasPrefix(".") ? rest.dropFirst() : rest)
    }

    private static func matches(_ entry: Substring, address: [UInt8]) -> Bool {
        let parts = entry.split(separator: "/", maxSplits: 1)
        guard let first = parts.first, let network = bytes(of: first.filter { !"[]".contains($0) }),
            network.count == address.count
        else { return false }
        let all = address.count * 8
        guard let bits = parts.count > 1 ? Int(parts[1]) : all, (0...all).contains(bits) else { return false }
        return (0..<bits).allSatisfy { bit in
            (network[bit / 8] ^ address[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
        }
    }

    private static func bytes(of address: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, address, &bytes) == 1 { return Array(bytes.prefix(4)) }
        return inet_pton(AF_INET6, address, &bytes) == 1 ? bytes : nil
    }
}
