package import CalotypeHTTP

extension CacheRules {
    /// RFC 9111 §4.4: the keys whose stored responses are to be forgotten after this exchange.
    ///
    /// The request's own, and those of Location and Content-Location where they are of the same origin; for every method
    /// that is not known to be safe, when it has succeeded: 2xx or 3xx.
    package func invalidates(_ request: HTTPRequest, status: Int, fields: HTTPFields) -> [ByteString] {
        guard !request.method.isSafe, (200..<400).contains(status) else { return [] }
        var keys = [key(for: request)]
        for name: CaselessString in ["Location", "Content-Location"] {
            guard let location = fields.firstValue(of: name),
                let key = key(of: location.trimmed, relativeTo: request),
                !keys.contains(key)
            else { continue }
            keys.append(key)
        }
        return keys
    }
}
