package import CalotypeBase

/// An HTTP cache's report on a response that passed through it: its source, and how long it is good.
///
/// All times are seconds since 1970.
package struct CacheOutcome: Hashable, Sendable {
    /// Where the bytes came from. May grow.
    package struct Source: Hashable, Sendable {
        package let name: String

        init(_ name: String) { self.name = name }

        /// From the origin, in this exchange or in one that it was collapsed with.
        package static let network = Source("network")
        /// Stored, and fresh by RFC 9111 §4.2.
        package static let fresh = Source("fresh")
        /// Stored; the origin said in this exchange that it is still the one (304).
        package static let revalidated = Source("revalidated")
        /// Stored and no longer fresh: within stale-while-revalidate, because the origin failed, or because the request
        /// takes any age.
        package static let stale = Source("stale")
    }

    package var source: Source
    /// RFC 9111 §4.2.3: seconds since the origin made or last confirmed it. 0 at least.
    package var age: Double
    /// The entity tag as the field has it, else the Last-Modified date; nil where there is neither.
    package var validator: ByteString?
    /// Until when it may be reused without asking. Nil: it is not stored, or never to be reused unasked.
    package var freshUntil: Double?
    /// Until when it may be used while it is being revalidated (RFC 5861 §3). Never before `freshUntil`.
    package var usableWhileRevalidatingUntil: Double?
    /// A Boolean value indicating whether the origin itself said so: by max-age, Expires, no-cache or no-store. False
    /// where the cache guessed, or nobody knows.
    package var isExplicit: Bool

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
