// CCurl is imported because optimized builds resolve `SOCK_STREAM` to the declaration in that module.
import CCurl
import CalotypeBase
import CalotypeHTTP
import Glibc

enum NameAnswer: Hashable, Sendable {
    /// At least one address as text, the preferred one first.
    case addresses([String])
    case notFound
    /// The name service failed with this message.
    case failed(String)
    /// The queue of lookups is full.
    case overloaded
}

enum NameLookup {
    /// The maximum number of addresses used for one name.
    private static let most = 32

    /// Looks up a name, and blocks until the system's name service answers.
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

    /// Returns the numeric address that `host` contains, in its usual form; 127.0.0.1 for localhost; otherwise `nil`.
    /// Like curl, the function accepts "127.1" and "0x7f000001".
    static func address(_ host: String) -> String? {
        if isLocal(host) { return "127.0.0.1" }
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return nil }
        defer { freeaddrinfo(list) }
        return texts(of: list).first ?? host
    }

    /// Returns `true` for names that curl resolves without a lookup (RFC 6761 §6.3).
    private static func isLocal(_ host: String) -> Bool {
        let host = ByteString(host).lowercasedASCII
        return host == "localhost" || host.hasSuffix(".localhost")
    }

    /// Returns the part that identifies a host: all of an IPv4 address, or the first 64 bits of an IPv6 address.
    static func network(of address: String) -> String {
        var bytes = in6_addr()
        guard inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
        return withUnsafeBytes(of: bytes) { $0.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") }
    }

    /// Returns the addresses as text, except those that need a scope, which curl does not support.
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

extension AddressRules {
    /// Returns the address of a host that is numeric or "localhost" if the rules refuse it; otherwise `nil`.
    package func refusedAddress(ofHost host: String) -> String? {
        NameLookup.address(host).flatMap { allows($0) ? nil : $0 }
    }
}
