// An optimised build takes `SOCK_STREAM` for one of its declarations.
import CCurl
import CalotypeBase
import CalotypeHTTP
import Glibc

/// What a lookup of a host name came to.
package enum NameAnswer: Hashable, Sendable {
    /// At least one, as text, the preferred first.
    case addresses([String])
    case notFound
    /// The name service failed, with its words.
    case failed(String)
    /// As many names as may be wait to be looked up.
    case overloaded
}

/// Names and addresses as the C library knows them.
enum NameLookup {
    /// Addresses of one name that are tried.
    private static let most = 32

    /// Asks the name service of the system. Blocks for as long as that takes.
    static func ask(_ name: String) -> NameAnswer {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(name, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0 else {
            return status == EAI_NONAME ? .notFound : .failed(String(cString: gai_strerror(status)))
        }
        let found = Array(texts(of: list).prefix(most))
        return found.isEmpty ? .notFound : .addresses(found)
    }

    /// Returns the address that `host` writes, in its usual form, or `nil` if `host` is a name.
    ///
    /// Like curl, takes "127.1" and "0x7f000001" for addresses.
    static func address(_ host: String) -> String? {
        if isLocal(host) { return "127.0.0.1" }
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return nil }
        defer { freeaddrinfo(list) }
        return texts(of: list).first ?? host
    }

    /// Returns whether the name is one that curl knows without asking anybody (RFC 6761 §6.3).
    private static func isLocal(_ host: String) -> Bool {
        let host = ByteString(host).lowercasedASCII
        return host == "localhost" || host.hasSuffix(".localhost")
    }

    /// The part of an address that stands for one host: all of IPv4, and of IPv6 the first 64 bits.
    static func network(of address: String) -> String {
        var bytes = in6_addr()
        guard inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
        return withUnsafeBytes(of: bytes) { $0.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") }
    }

    /// curl takes no scope with an address: those that need one are left out.
    private static func texts(of list: UnsafeMutablePointer<addrinfo>?) -> [String] {
        var texts: [ByteString] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            switch entry.ai_family {
            case AF_INET:
                entry.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                    _ = inet_ntop(AF_INET, &address.pointee.sin_addr, &text, socklen_t(text.count))
                }
            case AF_INET6:
                entry.ai_addr.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                    guard address.pointee.sin6_scope_id == 0 else { return }
                    _ = inet_ntop(AF_INET6, &address.pointee.sin6_addr, &text, socklen_t(text.count))
                }
            default: break
            }
            let written = ByteString(bytes: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)))
            if !written.isEmpty, !texts.contains(written) { texts.append(written) }
        }
        return texts.map(\.string)
    }
}
