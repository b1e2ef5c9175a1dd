import CalotypeHTTP

/// One member of the Cache-Status field. RFC 9211.
package struct CacheStatus: Hashable, Sendable {
    /// Who says so: a token or, where it cannot be one, a string. §2.
    package var cache: String
    /// §2.1: answered from the store, without asking.
    package var hit: Bool
    /// §2.2: why the request went to the origin.
    package var forward: ForwardReason?
    /// §2.3: what the origin answered, where that differs from the answer.
    package var forwardStatus: Int?
    /// §2.4: seconds of freshness left; negative when stale.
    package var ttl: Int?
    /// §2.5: the answer of the origin was stored.
    package var stored: Bool
    /// §2.6: the request waited for another one's answer.
    package var collapsed: Bool
    /// §2.8: a word that is ours alone.
    package var detail: String?

    package init(
        cache: String = "Calotype", hit: Bool = false, forward: ForwardReason? = nil, forwardStatus: Int? = nil,
        ttl: Int? = nil, stored: Bool = false, collapsed: Bool = false, detail: String? = nil
    ) {
        self.cache = cache
        self.hit = hit
        self.forward = forward
        self.forwardStatus = forwardStatus
        self.ttl = ttl
        self.stored = stored
        self.collapsed = collapsed
        self.detail = detail
    }

    /// The member as it is written, for example `Calotype; fwd=stale; fwd-status=304; ttl=60`.
    ///
    /// Whole seconds, as §2.4 wants; what cannot be written is left out.
    package var member: ByteString {
        var text = Self.tokenOrString(cache) ?? "Calotype"
        if hit { text += "; hit" }
        if let forward, forward.rawValue.isStructuredToken, !hit { text += "; fwd=\(forward.rawValue)" }
        if let forwardStatus, !hit { text += "; fwd-status=\(forwardStatus)" }
        if let ttl, ttl.magnitude < 1_000_000_000_000_000 { text += "; ttl=\(ttl)" }
        if stored, !hit { text += "; stored" }
        if collapsed, !hit { text += "; collapsed" }
        if let detail = detail.flatMap(Self.tokenOrString) { text += "; detail=\(detail)" }
        return ByteString(text)
    }

    /// The field with this member behind those of the caches nearer to the origin (§2).
    ///
    /// - Parameter upstream: the field's value as it came; dropped where it is no list, because then ours would not be
    ///   readable either.
    package func appended(to upstream: ByteString?) -> ByteString {
        guard let upstream, let members = StructuredField.list(upstream), !members.isEmpty else { return member }
        return "\(upstream), \(member)"
    }

    private static func tokenOrString(_ text: String) -> String? {
        text.isStructuredToken ? text : StructuredField.quoted(text)
    }
}

extension String {
    /// RFC 8941 §3.3.4.
    fileprivate var isStructuredToken: Bool {
        guard let first = utf8.first, first == 0x2A || (first | 0x20 >= 0x61 && first | 0x20 <= 0x7A) else {
            return false
        }
        return utf8.allSatisfy(\.isStructuredTokenCharacter)
    }
}
