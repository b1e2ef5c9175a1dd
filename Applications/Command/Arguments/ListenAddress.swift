/// An address and port to listen on, as people write them.
struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    let host: String
    let port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// "127.0.0.1:8080", "localhost:8080", "[::1]:8080".
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

    /// A Boolean value indicating whether only this machine reaches it.
    var isLoopback: Bool {
        // "127.example.com" is a name that anyone may have.
        let isNumber = host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || $0 >= 0x30 && $0 <= 0x39 }
        return host.lowercased() == "localhost" || host == "::1" || host.hasPrefix("127.") && isNumber
    }

    /// Returns whether a request with this Host may be answered here.
    ///
    /// On loopback only if it names loopback: a web page may let its own name lead here, and ask in its reader's browser.
    func isMeant(by host: String?) -> Bool {
        guard isLoopback, let host else { return true }
        return (Self(host) ?? Self("\(host):0"))?.isLoopback ?? false
    }

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
