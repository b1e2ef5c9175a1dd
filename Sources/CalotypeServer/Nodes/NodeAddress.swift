import CalotypeBase

/// The admin port of another node, or of all nodes with one name.
package struct NodeAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name, or an IPv4 or IPv6 address.
    let host: String
    let port: Int

    package init(host: String, port: Int) { (self.host, self.port) = (host, port) }

    package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    private var isIPv6: Bool { ByteString(host).contains(UInt8(ascii: ":")) }
}
