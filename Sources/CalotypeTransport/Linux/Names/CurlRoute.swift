import CalotypeBase
import CalotypeHTTP

/// The way of one request to its origin, and the names that curl connects to on it.
struct CurlRoute {
    /// A name with the port that curl connects to.
    struct Stop {
        let name: String
        let port: Int
    }

    let proxy: ProxyServer?
    /// Names to look up before curl gets the request: that of the proxy, if there is one, and that of the origin unless the
    /// proxy looks it up.
    let stops: [Stop]
    /// The groups that count how many requests go to one host and to one address.
    private(set) var groups: [String]
    /// Lines for `CURLOPT_RESOLVE`.
    private(set) var lines: [String] = []
    /// Nanoseconds spent on the lookups.
    var spent: UInt64 = 0

    /// Whether curl must look nothing up. Otherwise it gets an address in place of a name, which takes no name service.
    let knowsNamesOnly: Bool

    init(_ origin: HTTPOrigin, options: CurlTransport.Options) {
        let host = ByteString(origin.host.string).withoutBrackets.string
        let address = NameLookup.address(host)
        let proxy = options.proxy.server(for: origin)
        let ownStop = Stop(name: host, port: origin.port)
        self.proxy = proxy
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

    /// Notes that a name was looked up.
    mutating func pass(_ stop: Stop, _ addresses: [String]) {
        let texts = addresses.map { $0.utf8.contains(UInt8(ascii: ":")) ? "[\($0)]" : $0 }
        // With "+" the entry leaves curl's memory again, after 60 s.
        lines.append("+\(stop.name):\(stop.port):\(texts.joined(separator: ","))")
        if proxy == nil, let first = addresses.first { addGroup(of: first) }
    }

    private mutating func addGroup(of address: String) {
        let network = ByteString(NameLookup.network(of: address))
        if !groups.isEmpty, !groups.contains(where: { ByteString($0) == network }) { groups.append(network.string) }
    }
}

extension CurlRoute.Stop {
    /// Whether curl would take the name, and read it in a line for `CURLOPT_RESOLVE` as no other.
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

    /// The last two labels of the name, for which one name server answers as a rule.
    var site: String {
        let labels = ByteString(name).split(separator: UInt8(ascii: ".")).filter { !$0.isEmpty }
        return labels.suffix(2).joined(separator: ".").string
    }
}
