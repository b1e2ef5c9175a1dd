import CalotypeBase
import CalotypeHTTP

/// The names that curl connects to on the way to a request's origin.
struct CurlRoute {
    /// A name to look up, and the port that curl connects to.
    struct Stop {
        let name: String
        let port: Int
        /// Whether this is the origin and not a proxy.
        var isOrigin = false
    }

    let proxy: ProxyServer?
    /// The names to look up before curl gets the request: the proxy's, if there is a proxy, and the origin's, unless
    /// the proxy looks it up. Numeric addresses need no lookup.
    let stops: [Stop]
    /// The groups that limit the requests to one host and to one address.
    private(set) var groups: [String]
    /// The lines for `CURLOPT_RESOLVE`, one for each name looked up so far.
    private(set) var lines: [String] = []
    /// The name to look up next.
    var nextStop: Stop? { lines.count < stops.count ? stops[lines.count] : nil }
    /// The reason why the origin's numeric address gets no connection; otherwise `nil`.
    let refusal: TransportError?
    /// The addresses to which curl may connect.
    let addresses: AddressRules
    /// The nanoseconds spent on lookups.
    var spent: UInt64 = 0

    /// Whether every host on the route is a name and none is a numeric address. curl must then resolve nothing itself.
    /// Otherwise it may, because resolving a numeric address needs no name service.
    let knowsNamesOnly: Bool

    /// - Parameter trustsHost: Whether the origin may have any address.
    init(_ origin: HTTPOrigin, options: CurlTransport.Options, trustsHost: Bool) {
        let host = ByteString(origin.host.string).withoutBrackets.string
        let address = NameLookup.address(host)
        let proxy = options.proxy.server(for: origin)
        let ownStop = Stop(name: host, port: origin.port, isOrigin: true)
        self.proxy = proxy
        let addresses = trustsHost ? .all : options.addresses
        self.addresses = addresses
        refusal = address.flatMap { addresses.allows($0) ? nil : TransportError.addressRefused(host, $0) }
        if let proxy {
            let itsStop = Stop(name: proxy.host, port: proxy.port)
            stops =
                (NameLookup.address(proxy.host) == nil ? [itsStop] : [])
                + (proxy.wantsAddress && address == nil ? [ownStop] : [])
            knowsNamesOnly = stops.count == (proxy.wantsAddress ? 2 : 1)
        } else {
            stops = address == nil ? [ownStop] : []
            knowsNamesOnly = address == nil
        }
        groups = options.sharesPlaces ? [host] : []
        if proxy == nil, let address { addGroup(of: address) }
    }

    /// Adds the addresses of a name to the route. Returns an error if the rules allow none of the origin's.
    mutating func pass(_ stop: Stop, _ found: [String]) -> TransportError? {
        let allowed = stop.isOrigin ? found.filter { addresses.allows($0) } : found
        if allowed.isEmpty, let first = found.first { return .addressRefused(stop.name, first) }
        let texts = allowed.map { $0.utf8.contains(UInt8(ascii: ":")) ? "[\($0)]" : $0 }
        // With "+", curl drops the entry after 60 s.
        lines.append("+\(stop.name):\(stop.port):\(texts.joined(separator: ","))")
        if proxy == nil, let first = allowed.first { addGroup(of: first) }
        return nil
    }

    private mutating func addGroup(of address: String) {
        let network = ByteString(NameLookup.network(of: address))
        if !groups.isEmpty, !groups.contains(where: { ByteString($0) == network }) { groups.append(network.string) }
    }
}

extension CurlRoute.Stop {
    /// Whether the name is valid for curl, and unambiguous in a line for `CURLOPT_RESOLVE`.
    var isWellFormed: Bool {
        !name.isEmpty && name.utf8.count <= 255
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// The last two labels of the name, which usually belong to one name server.
    var site: String {
        let labels = ByteString(name).split(separator: UInt8(ascii: ".")).filter { !$0.isEmpty }
        return labels.suffix(2).joined(separator: ".").string
    }
}
