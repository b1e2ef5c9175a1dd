/// What a request's Cache-Control says (RFC 9111 §5.2.1).
///
/// A max-age that is no number is 0: the client wanted something, and the origin can tell. Of the others, what is no
/// number is ignored.
struct RequestDirectives: Hashable, Sendable {
    var noStore = false
    var noCache = false
    var onlyIfCached = false
    var maxAge: Double?
    var minFresh: Double?
    /// Infinite where it has no argument.
    var maxStale: Double?
    /// RFC 5861 §4.
    var staleIfError: Double?

    init() {}

    init(_ text: String?) {
        guard let text else { return }
        for directive in CacheDirective.parse(text) { take(directive) }
    }

    private mutating func take(_ directive: CacheDirective) {
        switch directive.name {
        case "no-store": noStore = true
        case "no-cache": noCache = true
        case "only-if-cached": onlyIfCached = true
        case "max-age": maxAge = maxAge ?? directive.seconds ?? 0
        case "min-fresh": minFresh = minFresh ?? directive.seconds
        case "max-stale": maxStale = maxStale ?? (directive.argument == .none ? .infinity : directive.seconds)
        case "stale-if-error": staleIfError = staleIfError ?? directive.seconds
        default: break
        }
    }
}
