public import CalotypeHTTP

/// The rules of a cache by RFC 9111, and the few numbers that the standard leaves open.
///
/// Its methods are pure: they take the request, what is stored and the time, and say what to do. All times are seconds
/// since 1970, with fractions.
public struct CacheRules: Hashable, Sendable {
    /// The rules of a cache of one user, as in an app (RFC 9111 §1).
    public static let `private` = CacheRules(.private)
    /// The rules of a cache of many users. It minds `private`, `s-maxage`, `proxy-revalidate`, Authorization and
    /// CDN-Cache-Control.
    public static let shared = CacheRules(.shared)

    package let mode: Mode

    /// How much of the time since Last-Modified a response without explicit freshness counts as fresh
    /// (RFC 9111 §4.2.2). 0.1, as the standard suggests.
    public var heuristicFraction = 0.1

    /// The longest heuristic lifetime, in seconds. A day: beyond it the earlier standard asked for a warning, and an
    /// image that never changed may still do so tomorrow.
    public var heuristicLimit: Double = 86_400

    /// How many seconds beyond its freshness a response may be served while the origin cannot be reached
    /// (RFC 9111 §4.2.4). A day; nil serves none but what stale-if-error allows.
    public var staleIfUnreachable: Double? = 86_400

    /// How many seconds a 404 or 410 that says nothing of its freshness is remembered. 10; a proxy sets 0.
    public var negativeLifetime: Double = 10

    /// A Boolean value indicating whether the heuristic applies to failures too, such as a 404 with Last-Modified (RFC
    /// 9111 §4.2.2). The default is true.
    public var guessesFailures = true

    /// A Boolean value indicating whether a good answer (200) that has neither freshness nor a validator is stored all
    /// the same, for requests that take any age. By the standard alone it is never used again. False.
    public var keepsUnreusable = false

    /// Fields that the key tells requests apart by already, in lower case: `Vary` need not name them again, and their
    /// values, which may be secret, are not written down. None.
    public var fieldsInKey: Set<CaselessString> = []

    package init(_ mode: Mode = .private) {
        self.mode = mode
    }

    package enum Mode: String, Sendable { case `private`, shared }

    var isShared: Bool { mode == .shared }
}
