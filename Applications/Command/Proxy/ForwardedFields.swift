import CalotypeHTTP

/// All changes that the proxy makes to header fields.
enum ForwardedFields {
    /// The proxy's name in Via (RFC 9110 §7.6.3: a pseudonym).
    static let pseudonym = "calotype"

    /// Returns a name for Via with a random comment, such as "calotype (1a2b3c4d)", which lets a proxy detect loops.
    static func mark() -> String {
        "\(pseudonym) (\(String(UInt32.random(in: .min ... .max), radix: 16)))"
    }

    static func ofRequest(_ fields: HTTPFields, version: String, mark: String) -> HTTPFields {
        var forwarded = endToEnd(fields)
        forwarded.removeAll { field in
            isConsumed(field.name) || isContinue(field)
        }
        forwarded.append(HTTPFields.Field(name: "Via", value: "\(version) \(mark)"))
        return HTTPFields(forwarded)
    }

    /// Returns the fields of a response for the client. The listener adds Content-Length.
    static func ofResponse(_ fields: HTTPFields, version: ByteString) -> HTTPFields {
        var forwarded = endToEnd(fields, without: "Content-Length")
        forwarded.append(HTTPFields.Field(name: "Via", value: via(version)))
        return HTTPFields(forwarded)
    }

    /// - Parameter version: The message's HTTP version; empty if it did not come over the network.
    private static func via(_ version: ByteString) -> ByteString {
        version.isEmpty || version == "1.1" ? ownVia : "\(version) \(pseudonym)"
    }

    private static let ownVia: ByteString = "1.1 \(pseudonym)"

    /// Returns `true` if the request has passed this proxy before. Proxies may drop comments (RFC 9110 §7.6.3), so a
    /// request that has passed more than eight proxies of this name also counts as a loop.
    static func isLoop(_ fields: HTTPFields, mark: String) -> Bool {
        guard let via = fields["Via"] else { return false }
        let stations = via.split(separator: 0x2C)
        return stations.contains { $0.trimmed.hasSuffix(" \(mark)") }
            || stations.count { $0.contains(" \(pseudonym)") } > 8
    }

    /// Returns the fields except the hop-by-hop fields, the fields named in Connection, and the field named `other`.
    static func endToEnd(_ fields: HTTPFields, without other: CaselessString? = nil) -> [HTTPFields.Field] {
        let named = connectionOptions(fields)
        var kept: [HTTPFields.Field] = []
        kept.reserveCapacity(fields.count + 1)
        for field in fields where !isHopByHop(field.name) {
            if field.name == other { continue }
            if !named.isEmpty, named.contains(field.name) { continue }
            kept.append(field)
        }
        return kept
    }

    /// Returns `true` for the fields of RFC 9110 §7.6.1, for HTTP2-Settings (RFC 7540 §3.2.1), and for Trailer, because
    /// trailers are not forwarded. Compares the length first, for speed: the proxy checks every field.
    private static func isHopByHop(_ name: CaselessString) -> Bool {
        switch name.count {
        case 2: name == "TE"
        case 7: name == "Upgrade" || name == "Trailer"
        case 10: name == "Connection" || name == "Keep-Alive"
        case 14: name == "HTTP2-Settings"
        case 16: name == "Proxy-Connection"
        case 17: name == "Transfer-Encoding"
        default: false
        }
    }

    /// Returns `true` for the fields of a request that the proxy does not forward: the client's credentials for the
    /// proxy (RFC 9110 §11.7.2), and the framing and the host, which the proxy writes itself.
    private static func isConsumed(_ name: CaselessString) -> Bool {
        switch name.count {
        case 4: name == "Host"
        case 14: name == "Content-Length"
        case 19: name == "Proxy-Authorization"
        default: false
        }
    }

    /// Returns the field names that Connection lists. A set keeps the search fast even if a client lists thousands of
    /// names and sends hundreds of fields.
    private static func connectionOptions(_ fields: HTTPFields) -> Set<CaselessString> {
        guard fields.contains(where: { $0.name == "Connection" }) else { return [] }
        return Set(
            fields.values(of: "Connection").flatMap { $0.split(separator: 0x2C) }.map { CaselessString($0.trimmed) })
    }

    /// Returns `true` for `Expect: 100-continue`, which the listener has already fulfilled (RFC 9110 §10.1.1).
    private static func isContinue(_ field: HTTPFields.Field) -> Bool {
        field.name == "Expect" && CaselessString(field.value) == "100-continue"
    }
}
