import CalotypeHTTP

/// One member of the Cache-Status field (RFC 9211).
struct CacheStatus: Hashable, Sendable {
    /// The name of the cache: a token, otherwise a string (§2).
    var cache: String
    /// Whether the cache answered without a request to the origin (§2.1).
    var hit: Bool
    /// The reason for the request to the origin (§2.2).
    var forward: ForwardReason?
    /// The status of the origin's response, if it differs from this response's (§2.3).
    var forwardStatus: Int?
    /// The remaining freshness in seconds (§2.4); negative once stale.
    var ttl: Int?
    /// Whether the origin's response was stored (§2.5).
    var stored: Bool
    /// Whether the request shared another one's exchange (§2.6).
    var collapsed: Bool
    /// A detail specific to this implementation (§2.8).
    var detail: String?

    init(
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

    func named(_ cache: String) -> CacheStatus {
        var status = self
        status.cache = cache
        return status
    }

    /// The serialised member, for example `Calotype; fwd=stale; fwd-status=304; ttl=60`.
    ///
    /// Seconds are whole numbers (§2.4); values that cannot be serialised are omitted.
    var member: ByteString {
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

    /// Returns the field's value with this member after those of the caches closer to the origin (§2).
    ///
    /// - Parameter upstream: The field's value as received; dropped if malformed, because it would make ours
    ///   unreadable.
    func appended(to upstream: ByteString?) -> ByteString {
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
