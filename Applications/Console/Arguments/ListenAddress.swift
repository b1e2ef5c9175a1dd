package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    package let host: String
    package let port: Int

    package init(host: String, port: Int) { (self.host, self.port) = (host, port) }
}

extension ListenAddress {
    /// Parses "127.0.0.1:8080", "localhost:8080", "[::1]:8080", or a port of 127.0.0.1, such as "8080".
    package init?(_ text: String) {
        self.init(authority: text.contains(":") ? text : "127.0.0.1:\(text)")
    }

    private init?(authority: String) {
        guard let colon = authority.lastIndex(of: ":"), let port = Int(authority[authority.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        var host = authority[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: port)
    }

    /// Whether only this machine can reach the address.
    package var isLoopback: Bool {
        // Only digits and dots count as an address: anyone may own a name such as "127.example.com".
        let isNumber = host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || $0 >= 0x30 && $0 <= 0x39 }
        return host.lowercased() == "localhost" || host == "::1" || host.hasPrefix("127.") && isNumber
    }

    /// Returns `true` if the server may answer a request with this Host field.
    ///
    /// A server on a loopback address answers only if Host names a loopback address or is missing. Otherwise a hostile
    /// page could point its own domain name at this machine and send requests through a visitor's browser (DNS
    /// rebinding).
    package func isMeant(by host: String?) -> Bool {
        guard isLoopback, let host else { return true }
        return (Self(authority: host) ?? Self(authority: "\(host):0"))?.isLoopback ?? false
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension Arguments {
    package func address(_ option: Option) throws(UsageError) -> ListenAddress? {
        try value(option, wanted: "an address such as 127.0.0.1:8080, or a port", ListenAddress.init)
    }
}
