import CalotypeHTTP

extension HTTPFields {
    /// The fields without hop-by-hop fields and those named in Connection (RFC 9111 §3.1, RFC 9110 §7.6.1). Fields that
    /// control caching stay even if Connection names them: without them, a cache would store too much.
    var endToEnd: HTTPFields {
        guard contains(where: { Self.hopByHop.contains($0.name) }) else { return self }
        let named = Set(FieldList.names(values(of: "Connection"))).subtracting(Self.indispensable)
        return HTTPFields(filter { !Self.hopByHop.contains($0.name) && !named.contains($0.name) })
    }

    private static let hopByHop: [CaselessString] = [
        "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
        "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
    ]

    private static let indispensable: [CaselessString] = [
        "Cache-Control", "CDN-Cache-Control", "Vary", "Age", "Date", "Expires",
    ]

    mutating func append(contentsOf others: HTTPFields) {
        for field in others { append(field.value, to: field.name) }
    }

    func removing(_ names: Set<CaselessString>) -> HTTPFields {
        names.isEmpty ? self : HTTPFields(filter { field in !names.contains(field.name) })
    }
}
