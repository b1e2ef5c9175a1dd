import CalotypeBase
import CalotypeHTTP
import CalotypeListener
package import CalotypeTransport

/// Finds the client of a request that has come through proxies.
///
/// Each proxy adds the address from which it got the request. From the nearest one on, the first address that is no trusted
/// proxy's is the client's: whatever stands before it may be the client's own text.
package struct ClientFinder: Hashable, Sendable {
    /// The field in which proxies write addresses. Only one counts: a proxy passes the other one on as the client sent it.
    package enum Field: String, CaseIterable, Sendable {
        case forwardedFor = "x-forwarded-for"
        /// RFC 7239.
        case forwarded
    }

    /// The addresses of proxies. If empty (the default), the peer of the connection is the client.
    package var trusted: [AddressBlock] = []
    /// The default is `forwardedFor`.
    package var field = Field.forwardedFor

    package init() {}

    func client(of request: ListenerRequest) -> ClientAddress? {
        guard !trusted.isEmpty, var client = request.client, isTrusted(client) else { return request.client }
        for text in addresses(in: request.fields).reversed() {
            // A proxy may hide the address, or not know it.
            guard let hop = ClientAddress(text.withoutPort.string) else { break }
            client = hop
            if !isTrusted(hop) { break }
        }
        return client
    }

    private func isTrusted(_ client: ClientAddress) -> Bool {
        guard let address = IPAddress(client.description) else { return false }
        return trusted.contains { $0.contains(address) }
    }

    private func addresses(in fields: HTTPFields) -> [ByteString] {
        switch field {
        case .forwardedFor:
            fields.values(of: "X-Forwarded-For").flatMap { $0.split(separator: UInt8(ascii: ",")).map(\.trimmed) }
        case .forwarded: fields.values(of: "Forwarded").flatMap(\.forwardedElements).map(\.forwardedFor)
        }
    }
}

extension ByteString {
    /// The elements of a value of Forwarded. Commas inside quotes separate none.
    fileprivate var forwardedElements: [ByteString] { split(UInt8(ascii: ",")) }

    /// The value of "for" in an element of Forwarded, without quotes; empty if there is none.
    fileprivate var forwardedFor: ByteString {
        for pair in split(UInt8(ascii: ";")) {
            let sides = pair.trimmed.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard sides.count == 2, sides[0].trimmed.lowercasedASCII == "for" else { continue }
            let value = sides[1].trimmed
            guard value.hasPrefix("\""), value.hasSuffix("\""), value.count > 1 else { return value }
            return ByteString(bytes: value.bytes.dropFirst().dropLast())
        }
        return ""
    }

    private func split(_ separator: UInt8) -> [ByteString] {
        var isQuoted = false
        return bytes.split(omittingEmptySubsequences: false) { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == separator && !isQuoted
        }.map { ByteString(bytes: $0) }
    }

    /// An address without the port, and without the brackets of one of IPv6.
    fileprivate var withoutPort: ByteString {
        if hasPrefix("[") { return dropFirst().split(separator: UInt8(ascii: "]"), maxSplits: 1)[0] }
        let parts = split(separator: UInt8(ascii: ":"))
        return parts.count == 2 ? parts[0] : self
    }
}
