package import CalotypeBase

/// An HTTP cache's report on the source and freshness of a response. All times are seconds since 1970.
package struct CacheOutcome: Hashable, Sendable {
    package enum Source: String, Sendable {
        /// Received from the origin, in this request's exchange or in that of another request which this one joined.
        case network
        /// Stored, and fresh by RFC 9111 §4.2.
        case fresh
        /// Stored, and confirmed by the origin in this exchange (304).
        case revalidated
        /// Stored and stale, but usable: within stale-while-revalidate, because the origin failed, or because the
        /// request accepts any age.
        case stale
    }

    package var source: Source
    /// The seconds since the origin generated or last validated the response (RFC 9111 §4.2.3); never negative.
    package var age: Double
    /// The ETag field as received, otherwise Last-Modified; `nil` if the response has neither.
    package var validator: ByteString?
    /// The end of freshness; `nil` if the response must not be stored, must be validated before each use, or has no
    /// caching information.
    package var freshUntil: Double?
    /// The end of stale-while-revalidate (RFC 5861 §3), never before `freshUntil`; `nil` if `freshUntil` is `nil`.
    package var usableWhileRevalidatingUntil: Double?
    /// `true` if the origin set the lifetime itself, with max-age, s-maxage, Expires, no-cache or no-store; `false` if
    /// the cache used a heuristic or found no information.
    package var isExplicit: Bool
    /// The cache's member of Cache-Status, or `nil` if the response passed through no cache.
    package var status: CacheStatus?

    package init(
        source: Source, age: Double = 0, validator: ByteString? = nil, freshUntil: Double? = nil,
        usableWhileRevalidatingUntil: Double? = nil, isExplicit: Bool = false
    ) {
        self.source = source
        self.age = age
        self.validator = validator
        self.freshUntil = freshUntil
        self.usableWhileRevalidatingUntil = usableWhileRevalidatingUntil
        self.isExplicit = isExplicit
    }
}

/// A redirect that a loader has followed.
package struct RedirectOutcome: Hashable, Sendable {
    package let status: Int
    package let outcome: CacheOutcome

    package init(status: Int, _ outcome: CacheOutcome) {
        self.status = status
        self.outcome = outcome
    }
}
