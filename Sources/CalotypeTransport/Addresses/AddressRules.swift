/// The addresses to which a transport may connect.
package struct AddressRules: Hashable, Sendable {
    /// Allows all addresses.
    package static let all = AddressRules(isOpen: true)
    /// Allows the addresses of hosts on the internet: none of IANA's special-purpose ranges that are not globally
    /// reachable, such as loopback and private networks, and none of the metadata services of clouds.
    package static let internet = AddressRules(isOpen: false)

    /// Blocks to allow as well.
    package var exceptions: [AddressBlock] = []
    private let isOpen: Bool
    /// The rules that apply instead, if there are any.
    private let source: AddressRulesSource?

    private init(isOpen: Bool, source: AddressRulesSource? = nil) { (self.isOpen, self.source) = (isOpen, source) }

    /// Returns rules that are those of the source at each connection.
    package static func following(_ source: AddressRulesSource) -> AddressRules {
        AddressRules(isOpen: false, source: source)
    }

    /// Returns whether to connect to the address. An IPv6 address that contains an IPv4 address is judged as that, so
    /// that networks with NAT64 work, and no other spelling leads to a refused address.
    package func allows(_ address: IPAddress) -> Bool {
        if let source { return source.current().allows(address) }
        if isOpen || exceptions.contains(where: { $0.contains(address) }) { return true }
        if let embedded = address.embedded { return allows(embedded) }
        if let tunneled = address.tunneled, !allows(tunneled) { return false }
        return address.isGlobalUnicast && !Self.special.contains { $0.contains(address) }
    }

    /// Returns whether to connect to the address in a text of the resolver.
    func allows(_ text: String) -> Bool {
        if let source { return source.current().allows(text) }
        return isOpen || IPAddress(text).map { allows($0) } ?? false
    }

    /// The special-purpose blocks among the unicast addresses that are not globally reachable (IANA's registries of RFC
    /// 6890), and the address by which Azure reaches its virtual machines' host.
    private static let special = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "168.63.129.16/32", "2001::/23", "2001:db8::/32", "3fff::/20",
    ].compactMap(AddressBlock.init)
}

/// A source of rules that change while a transport applies them.
package final class AddressRulesSource: Hashable, Sendable {
    fileprivate let current: @Sendable () -> AddressRules

    /// - Parameter current: Returns the rules, at once. They do not follow a source themselves.
    package init(_ current: @escaping @Sendable () -> AddressRules) { self.current = current }

    package static func == (one: AddressRulesSource, other: AddressRulesSource) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension IPAddress {
    /// Whether the address is neither multicast nor reserved. IANA assigns IPv6 addresses within 2000::/3 alone.
    fileprivate var isGlobalUnicast: Bool {
        switch self {
        case .v4(let bits): bits >> 28 < 0xE
        case .v6(let high, _): high >> 61 == 1
        }
    }
}
