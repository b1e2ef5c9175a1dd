/// A cache's report on its handling of a request: one member of the Cache-Status field (RFC 9211).
package struct CacheStatus: Hashable, Sendable {
    /// Whether the cache answered without a request to the origin (§2.1).
    package var hit: Bool
    /// The reason for forwarding the request to the origin (§2.2), or `nil` if the cache did not forward it.
    package var forward: ForwardReason?
    /// The status of the origin's response, if it may differ from the status of this response (§2.3).
    package var forwardStatus: Int?
    /// The remaining freshness in seconds (§2.4); negative once stale.
    package var ttl: Int?
    /// Whether the cache stores the origin's response (§2.5).
    package var stored: Bool
    /// Whether the request shared the exchange of another request (§2.6).
    package var collapsed: Bool
    /// A detail specific to this implementation (§2.8).
    package var detail: String?

    package init(
        hit: Bool = false, forward: ForwardReason? = nil, forwardStatus: Int? = nil, ttl: Int? = nil,
        stored: Bool = false, collapsed: Bool = false, detail: String? = nil
    ) {
        self.hit = hit
        self.forward = forward
        self.forwardStatus = forwardStatus
        self.ttl = ttl
        self.stored = stored
        self.collapsed = collapsed
        self.detail = detail
    }
}

/// The reason for forwarding a request to the origin: the `fwd` parameter of RFC 9211 §2.2.
package enum ForwardReason: String, Sendable {
    /// The cache is configured not to handle the request.
    case bypass
    case method
    /// No response to the URL is stored.
    case uriMiss = "uri-miss"
    /// Variants are stored for the URL, but none matches the request.
    case varyMiss = "vary-miss"
    case miss
    /// The request's own directives or conditions require an answer from the origin.
    case request
    case stale
    /// The stored part does not cover the requested range.
    case partial
}
