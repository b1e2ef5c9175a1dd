/// How long a stored response is fresh, and how old it is. RFC 9111 §4.2.
package struct Freshness: Hashable, Sendable {
    /// Where the lifetime comes from. May grow.
    package struct Source: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let sharedMaxAge = Source(rawValue: "s-maxage")
        package static let maxAge = Source(rawValue: "max-age")
        package static let expires = Source(rawValue: "expires")
        /// A part of the time since Last-Modified.
        package static let heuristic = Source(rawValue: "heuristic")
        /// ``CacheRules/negativeLifetime``.
        package static let negative = Source(rawValue: "negative")
        package static let none = Source(rawValue: "none")

        /// A Boolean value indicating whether the origin gave it, rather than the cache guessed or knew nothing.
        var isExplicit: Bool { self == .sharedMaxAge || self == .maxAge || self == .expires }
    }

    /// Seconds from the response's birth until it is stale.
    package let lifetime: Double
    package let source: Source
    /// Seconds since the response's birth (§4.2.3); never negative.
    package let age: Double
    /// Seconds beyond freshness in which it may be served while it is validated in the background (RFC 5861 §3); 0 where
    /// it must not be served stale.
    package let staleWhileRevalidate: Double
    /// Seconds beyond freshness in which it may be served instead of a server's error (RFC 5861 §4); 0 likewise.
    package let staleIfError: Double
    /// A Boolean value indicating whether it may be reused without asking at all, when fresh: no-cache forbids it.
    package let needsValidation: Bool
    /// A Boolean value indicating whether serving it stale is not forbidden (§4.2.4).
    package let mayBeStale: Bool

    /// A Boolean value indicating whether the origin said so itself, rather than the cache guessed or knew nothing.
    package var isExplicit: Bool { needsValidation || source.isExplicit }
    /// §4.2.
    package var isFresh: Bool { lifetime > age }
    /// Seconds until it is stale; negative since then.
    package var ttl: Double { lifetime - age }
    /// Seconds since it is stale; 0 while it is fresh.
    package var staleness: Double { max(0, -ttl) }
    /// A Boolean value indicating whether it may be served at once and validated behind the client's back.
    package var isWithinStaleWhileRevalidate: Bool {
        !needsValidation && mayBeStale && !isFresh && staleness <= staleWhileRevalidate && staleWhileRevalidate > 0
    }
}
