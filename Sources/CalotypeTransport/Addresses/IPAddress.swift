import CalotypeBase

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An IPv4 or IPv6 address.
package enum IPAddress: Hashable, Sendable {
    case v4(UInt32)
    /// The first and the last 64 bits.
    case v6(UInt64, UInt64)

    /// Parses an address in its usual form, such as "192.0.2.1" or "2001:db8::1"; `nil` for other text.
    package init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(four)
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self.init(six)
        } else {
            return nil
        }
    }

    init(_ address: in_addr) { self = .v4(UInt32(bigEndian: address.s_addr)) }

    init(_ address: in6_addr) {
        let words = withUnsafeBytes(of: address) { bytes in
            [0, 8].map { UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)) }
        }
        self = .v6(words[0], words[1])
    }

    /// The IPv4 address to which a gateway or the system translates this IPv6 address; otherwise `nil`. The first four
    /// kinds are compatible, mapped, translated (RFC 2765) and NAT64's (RFC 6052); the last is that of 6to4 (RFC 3056).
    var embedded: IPAddress? {
        guard case .v6(let high, let low) = self else { return nil }
        let isTranslated =
            high == 0 && [0, 0xFFFF, 0xFFFF_0000].contains(low >> 32)
            || high == 0x0064_FF9B_0000_0000 && low >> 32 == 0
        if isTranslated { return .v4(UInt32(truncatingIfNeeded: low)) }
        return high >> 48 == 0x2002 ? .v4(UInt32(truncatingIfNeeded: high >> 16)) : nil
    }

    /// The IPv4 address in an interface identifier of ISATAP (RFC 5214 §6.1); otherwise `nil`.
    var tunneled: IPAddress? {
        guard case .v6(_, let low) = self, (low >> 32) & 0xFDFF_FFFF == 0x5EFE else { return nil }
        return .v4(UInt32(truncatingIfNeeded: low))
    }
}

extension IPAddress: CustomStringConvertible {
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        switch self {
        case .v4(let bits):
            var bytes = bits.bigEndian
            _ = inet_ntop(AF_INET, &bytes, &text, socklen_t(text.count))
        case .v6(let high, let low):
            var bytes = (high.bigEndian, low.bigEndian)
            _ = inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count))
        }
        return ByteString(bytes: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))).string
    }
}

/// A block of addresses that begin with the same bits.
package struct AddressBlock: Hashable, Sendable {
    private let start: IPAddress
    /// The number of bits that all addresses of the block have in common.
    private let length: Int

    /// Parses "10.0.0.0/8", "fd00::/8" or a single address. Returns `nil` for other text, and if the address has a bit
    /// behind the length.
    package init?(_ text: String) {
        let words = ByteString(text).split(separator: UInt8(ascii: "/"))
        guard let start = IPAddress(words[0].string), words.count <= 2 else { return nil }
        let all = if case .v4 = start { 32 } else { 128 }
        guard let length = words.count == 2 ? words[1].asDigits : all, length <= all else { return nil }
        (self.start, self.length) = (start, length)
        switch start {
        case .v4(let bits): guard bits & ~mask4 == 0 else { return nil }
        case .v6(let high, let low): guard high & ~mask6.high == 0, low & ~mask6.low == 0 else { return nil }
        }
    }

    package func contains(_ address: IPAddress) -> Bool {
        switch (start, address) {
        case (.v4(let own), .v4(let other)): (own ^ other) & mask4 == 0
        case (.v6(let high, let low), .v6(let otherHigh, let otherLow)):
            (high ^ otherHigh) & mask6.high == 0 && (low ^ otherLow) & mask6.low == 0
        default: false
        }
    }

    private var mask4: UInt32 { ~(UInt32.max >> length) }

    private var mask6: (high: UInt64, low: UInt64) {
        (~(UInt64.max >> min(length, 64)), ~(UInt64.max >> max(length - 64, 0)))
    }
}
