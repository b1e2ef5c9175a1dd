import Foundation
import Glibc

/// A client's address and port.
package struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
    private let words: SIMD2<UInt64>
    private let isIPv6: Bool
    let port: Int

    init?(_ address: sockaddr_storage) {
        switch Int32(address.ss_family) {
        case AF_INET:
            let v4 = withUnsafeBytes(of: address) { $0.loadUnaligned(as: sockaddr_in.self) }
            words = [UInt64(v4.sin_addr.s_addr), 0]
            port = Int(UInt16(bigEndian: v4.sin_port))
            isIPv6 = false
        case AF_INET6:
            let v6 = withUnsafeBytes(of: address) { $0.loadUnaligned(as: sockaddr_in6.self) }
            words = withUnsafeBytes(of: v6.sin6_addr) { $0.loadUnaligned(as: SIMD2<UInt64>.self) }
            port = Int(UInt16(bigEndian: v6.sin6_port))
            isIPv6 = true
        default: return nil
        }
    }

    /// Creates a client from an address, without a port. An IPv4 address in IPv6 is that IPv4 address.
    package init?(_ text: String) {
        var (v4, v6) = (in_addr(), in6_addr())
        port = 0
        if inet_pton(AF_INET, text, &v4) == 1 {
            (words, isIPv6) = ([UInt64(v4.s_addr), 0], false)
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            let bytes = withUnsafeBytes(of: v6) { Array($0) }
            if bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] {
                (words, isIPv6) = ([bytes.suffix(4).reversed().reduce(0) { $0 << 8 | UInt64($1) }, 0], false)
            } else {
                (words, isIPv6) = (withUnsafeBytes(of: v6) { $0.loadUnaligned(as: SIMD2<UInt64>.self) }, true)
            }
        } else {
            return nil
        }
    }

    /// The address without the port, as text.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let isWritten = withUnsafeBytes(of: words) { bytes in
            inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes.baseAddress, &text, socklen_t(text.count)) != nil
        }
        return isWritten ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
    }

    /// A key that identifies the client: the whole IPv4 address, or the first 64 bits of an IPv6 address.
    package var network: String { isIPv6 ? String(words.x, radix: 16) : description }
}
