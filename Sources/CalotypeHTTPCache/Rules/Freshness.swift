/// How long a stored response is fresh, and how old it is. RFC 9111 §4.2.
public struct Freshness: Hashable, Sendable {
    /// Where the lifetime comes from. May grow.
    public struct Source: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let sharedMaxAge = Source(rawValue: "s-maxage")
        public static let maxAge = Source(rawValue: "max-age")
        public static let expires = Source(rawValue: "expires")
        /// A part of the time since Last-Modified.
        public static let heuristic = Source(rawValue: "heuristic")
        /// ``CacheRules/negativeLifetime``.
        public static let negative = Source(rawValue: "negative")
        public static let none = Source(rawValue: "none")

        /// Whether the origin gave it, rather than the cache guessed or knew nothing.
        var isExplicit: Bool { self == .sharedMaxAge || self == .maxAge || self == .expires }
    }

    /// Seconds from the response's birth until it is stale.
    public let lifetime: Double
    public let source: Source
    /// Seconds since the response's birth (§4.2.3); never negative.
    public let age: Double
    /// Seconds beyond freshness in which it may be served while it is validated in the background (RFC 5861 §3); 0 where
    /// it must not be served stale.
    public let staleWhileRevalidate: Double
    /// Seconds beyond freshness in which it may be served instead of a server's error (RFC 5861 §4); 0 likewise.
    public let staleIfError: Double
    /// Whether it may be reused without asking at all, when fresh: no-cache forbids it.
    public let needsValidation: Bool
    /// Whether serving it stale is not forbidden (§4.2.4).
    public let mayBeStale: Bool

    /// Whether the origin said so itself, rather than the cache guessed or knew nothing.
    public var isExplicit: Bool { needsValidation || source.isExplicit }
    /// §4.2.
    public var isFresh: Bool { lifetime > age }
    /// Seconds until it is stale; negative since then.
    public var ttl: Double { lifetime - age }
    /// Seconds since it is stale; 0 while it is fresh.
    public var staleness: Double { max(0, -ttl) }
    /// Whether it may be served at once and validated behind the client's back.
    public var isWithinStaleWhileRevalidate: Bool {
        !needsValidation && mayBeStale && !isFresh && staleness <= staleWhileRevalidate && staleWhileRevalidate > 0
    }
}
