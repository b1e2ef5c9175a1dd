import CalotypeHTTP

extension CacheStatus {
    /// Returns the serialized member, for example `Calotype; fwd=stale; ttl=60`. Omits invalid values.
    func member(of cache: String = "Calotype") -> ByteString {
        var text = Self.tokenOrString(cache) ?? "Calotype"
        if hit { text += "; hit" }
        if let forward, !hit { text += "; fwd=\(forward.rawValue)" }
        if let forwardStatus, !hit { text += "; fwd-status=\(forwardStatus)" }
        if let ttl, ttl.magnitude < 1_000_000_000_000_000 { text += "; ttl=\(ttl)" }
        if stored, !hit { text += "; stored" }
        if collapsed, !hit { text += "; collapsed" }
        if let detail = detail.flatMap(Self.tokenOrString) { text += "; detail=\(detail)" }
        return ByteString(text)
    }

    /// Returns the field's value with this member after those of the caches closer to the origin (§2).
    ///
    /// - Parameter upstream: The field as received. If malformed, it is dropped, because no client could read it.
    func appended(to upstream: ByteString?, by cache: String = "Calotype") -> ByteString {
        let member = member(of: cache)
        guard let upstream, let members = StructuredField.list(upstream), !members.isEmpty else { return member }
        return "\(upstream), \(member)"
    }

    private static func tokenOrString(_ text: String) -> String? {
        text.isStructuredToken ? text : StructuredField.quoted(text)
    }
}

extension String {
    /// `true` for a token (RFC 8941 §3.3.4).
    fileprivate var isStructuredToken: Bool {
        guard let first = utf8.first, first == 0x2A || (first | 0x20 >= 0x61 && first | 0x20 <= 0x7A) else {
            return false
        }
        return utf8.allSatisfy(\.isStructuredTokenCharacter)
    }
}
