internal import CalotypeHTTP

/// The directives of a request's Cache-Control (RFC 9111 §5.2.1). An invalid max-age counts as 0; other invalid numbers
/// are ignored. In a malformed line, only directives that send the request to the origin count.
struct RequestDirectives: Hashable, Sendable {
    var noStore = false
    var noCache = false
    var onlyIfCached = false
    var maxAge: Double?
    var minFresh: Double?
    /// The accepted staleness, in seconds; infinite for a max-stale without an argument.
    var maxStale: Double?
    /// The accepted staleness if the origin fails, in seconds (RFC 5861 §4).
    var staleIfError: Double?

    /// Applies a directive. To support another one, add a property, a line here, and a rule that obeys it.
    private mutating func take(_ name: CaselessString, _ value: DirectiveValue) {
        switch name {
        case "no-store": value.demand(&noStore)
        case "no-cache": value.demand(&noCache)
        case "only-if-cached": value.allow(&onlyIfCached)
        case "max-age": value.limit(&maxAge)
        case "min-fresh":
            minFresh = value.isStray ? max(minFresh ?? 0, value.seconds ?? 0) : minFresh ?? value.seconds
        case "max-stale":
            let accepted = value.argument == nil ? .infinity : value.seconds
            maxStale = value.isStray ? min(maxStale ?? 0, value.seconds ?? 0) : maxStale ?? accepted
        case "stale-if-error":
            staleIfError = value.isStray ? min(staleIfError ?? 0, value.seconds ?? 0) : staleIfError ?? value.seconds
        default: break
        }
    }

    /// - Parameter lines: The lines of the field, each parsed separately.
    init(_ lines: some Sequence<ByteString>) {
        let directives = CacheDirective.all(in: lines)
        for directive in directives.listed { take(directive.name, .listed(directive.argument)) }
        for directive in directives.stray { take(directive.name, .stray(directive.argument)) }
    }
}
