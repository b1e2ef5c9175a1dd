/// An address and port to listen on, as people write them.
struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    let host: String
    let port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads "127.0.0.1:8080", "localhost:8080" or "[::1]:8080".
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: port)
    }

    /// Whether only this machine can reach the address.
    var isLoopback: Bool {
        // "127.example.com" is a name that anyone may own.
        let isNumber = host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || $0 >= 0x30 && $0 <= 0x39 }
        return host.lowercased() == "localhost" || host == "::1" || host.hasPrefix("127.") && isNumber
    }

    /// Returns `true` if the server may answer a request with this Host.
    ///
    /// A server on loopback answers only names of loopback. A hostile web page could otherwise point its own name at
    /// this address, and make its visitor's browser ask (DNS rebinding).
    func isMeant(by host: String?) -> Bool {
        guard isLoopback, let host else { return true }
        return (Self(host) ?? Self("\(host):0"))?.isLoopback ?? false
    }

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
