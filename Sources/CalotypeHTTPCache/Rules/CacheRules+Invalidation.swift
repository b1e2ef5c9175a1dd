import CalotypeHTTP

extension CacheRules {
    /// Returns the keys that an exchange invalidates (RFC 9111 §4.4): after a 2xx or 3xx to an unsafe method, the
    /// request's key, and those of Location and Content-Location if they have the same origin.
    func invalidates(_ request: HTTPRequest, status: Int, fields: HTTPFields) -> [ByteString] {
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
