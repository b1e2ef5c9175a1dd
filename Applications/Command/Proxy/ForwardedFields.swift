import CalotypeHTTP

/// The changes of a proxy to fields, and all of them.
enum ForwardedFields {
    /// Our name in Via (RFC 9110 §7.6.3: a pseudonym).
    static let pseudonym = "calotype"

    /// Returns the mark of a proxy in requests, by which it recognizes them: a comment after the name.
    static func mark() -> String {
        "\(pseudonym) (\(String(UInt32.random(in: .min ... .max), radix: 16)))"
    }

    /// Those of a request, as they go to the origin.
    static func ofRequest(_ fields: HTTPFields, version: String, mark: String) -> HTTPFields {
        var forwarded = endToEnd(fields)
        forwarded.removeAll { field in
            isConsumed(field.name) || isContinue(field)
        }
        forwarded.append(HTTPFields.Field(name: "Via", value: "\(version) \(mark)"))
        return HTTPFields(forwarded)
    }

    /// Those of a response, as they go to the client: without Content-Length, which the listener writes.
    static func ofResponse(_ fields: HTTPFields, version: ByteString) -> HTTPFields {
        var forwarded = endToEnd(fields, without: "Content-Length")
        forwarded.append(HTTPFields.Field(name: "Via", value: via(version)))
        return HTTPFields(forwarded)
    }

    /// - Parameter version: of the message as it came. Empty: it came from no wire.
    private static func via(_ version: ByteString) -> ByteString {
        version.isEmpty || version == "1.1" ? ownVia : "\(version) \(pseudonym)"
    }

    private static let ownVia: ByteString = "1.1 \(pseudonym)"

    /// Returns whether the request has been here before. It must not wait for the exchange that it is a part of.
    ///
    /// Where comments get lost (RFC 9110 §7.6.3 allows it): whether it passed more proxies of our name than any honest
    /// chain has.
    static func isLoop(_ fields: HTTPFields, mark: String) -> Bool {
        guard let via = fields["Via"] else { return false }
        let stations = via.split(separator: 0x2C)
        return stations.contains { $0.trimmed.hasSuffix(" \(mark)") }
            || stations.count { $0.contains(" \(pseudonym)") } > 8
    }

    /// Without the fields that are meant for this connection only, or named in Connection.
    ///
    /// - Parameter other: one more to leave out.
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

    /// RFC 9110 §7.6.1, and Trailer, because trailers are not passed on.
    ///
    /// Asked for every line of every message: by length first, which most names have to themselves.
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

    /// Those of a request that end here: credentials for the proxy (RFC 9110 §11.7.2), and the framing and the host,
    /// which are written anew.
    private static func isConsumed(_ name: CaselessString) -> Bool {
        switch name.count {
        case 4: name == "Host"
        case 14: name == "Content-Length"
        case 19: name == "Proxy-Authorization"
        default: false
        }
    }

    /// A set: a client may name thousands, and send hundreds of fields.
    private static func connectionOptions(_ fields: HTTPFields) -> Set<CaselessString> {
        guard fields.contains(where: { $0.name == "Connection" }) else { return [] }
        return Set(
            fields.values(of: "Connection").flatMap { $0.split(separator: 0x2C) }.map { CaselessString($0.trimmed) })
    }

    /// An expectation that the listener has fulfilled (RFC 9110 §10.1.1).
    private static func isContinue(_ field: HTTPFields.Field) -> Bool {
        field.name == "Expect" && CaselessString(field.value) == "100-continue"
    }
}
