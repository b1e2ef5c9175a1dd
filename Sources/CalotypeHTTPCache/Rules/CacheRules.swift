public import CalotypeHTTP

/// The rules of an HTTP cache (RFC 9111), and the numbers that the standard leaves open.
///
/// The methods are pure functions of the request, the stored responses and the time. Times are in seconds since 1970.
public struct CacheRules: Hashable, Sendable {
    /// The rules for a cache of one user, as in an app (RFC 9111 §1).
    public static let `private` = CacheRules(.private)
    /// The rules for a cache of many users. It obeys `private`, `s-maxage`, `proxy-revalidate`, Authorization and
    /// CDN-Cache-Control.
    public static let shared = CacheRules(.shared)

    let mode: Mode

    /// The lifetime of a response without explicit freshness, as a fraction of the time since its Last-Modified (RFC
    /// 9111 §4.2.2). The default is 0.1, as the standard suggests.
    public var heuristicFraction = 0.1

    /// The maximum heuristic lifetime. The default is a day: RFC 7234 required a warning beyond it, and even an image
    /// that has never changed may change tomorrow.
    public var heuristicLimit = Duration.seconds(86_400)

    /// The lifetime of a successful response without explicit freshness and without Last-Modified. The default is zero:
    /// such a response is validated before each use, or not stored.
    public var defaultLifetime = Duration.zero

    /// Whether stale-while-revalidate applies (RFC 5861 §3). The default is `true`. Of two chained caches, only one
    /// should obey it, because their periods add up.
    public var servesWhileRevalidating = true

    /// How long a stale response may be served while the origin is unreachable (RFC 9111 §4.2.4). The default is a
    /// day; with `nil`, only stale-if-error allows it.
    public var staleIfUnreachable: Duration? = .seconds(86_400)

    /// The lifetime of a 404 or 410 without explicit freshness. The default is 10 seconds; a proxy sets zero.
    public var negativeLifetime = Duration.seconds(10)

    /// Whether heuristic freshness applies to failures with Last-Modified (RFC 9111 §4.2.2). The default is `true`.
    public var guessesFailures = true

    /// Whether a 200 with neither freshness nor a validator is stored for requests that accept any age, although RFC
    /// 9111 allows no reuse of it. The default is `false`.
    public var keepsUnreusable = false

    /// Whether a response may answer requests for other URLs of its path, as its No-Vary-Search allows: with other
    /// parameters in the query, or in another order. The default is `true` for the private rules and `false` for the shared
    /// ones, because the field is new. It has no effect in a gateway, and on requests that have a name instead of their
    /// URL.
    public var obeysNoVarySearch: Bool

    /// Field names, in lower case, that are already part of the key: `Vary` ignores them, and their values, which may
    /// be secret, are not stored. The default is empty.
    public var fieldsInKey: Set<CaselessString> = []

    package init(_ mode: Mode = .private) {
        self.mode = mode
        obeysNoVarySearch = mode == .private
    }

    package enum Mode: String, Sendable { case `private`, shared }

    /// Whether the rules are those of a cache of many users.
    package var isShared: Bool { mode == .shared }
}
