internal import CalotypeHTTP

/// The directives of a request's Cache-Control (RFC 9111 §5.2.1).
///
/// A max-age that is no number is 0: the client wanted something, and the origin can tell. Of the others, what is no
/// number is ignored. Of the words in a line that is no list of directives, those count that send the request to the origin.
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

    /// - Parameter lines: of the field, each by itself.
    init(_ lines: some Sequence<ByteString>) {
        var strays: [CacheDirective] = []
        for line in lines {
            switch DirectiveLine(line) {
            case .list(let directives): for directive in directives { take(directive) }
            case .words(let words): strays += words
            }
        }
        for stray in strays { restrict(by: stray) }
    }

    private mutating func take(_ directive: CacheDirective) {
        switch directive.name {
        case "no-store": noStore = true
        case "no-cache": noCache = true
        case "only-if-cached": onlyIfCached = true
        case "max-age": maxAge = maxAge ?? directive.seconds ?? 0
        case "min-fresh": minFresh = minFresh ?? directive.seconds
        case "max-stale": maxStale = maxStale ?? (directive.argument == nil ? .infinity : directive.seconds)
        case "stale-if-error": staleIfError = staleIfError ?? directive.seconds
        default: break
        }
    }

    /// - Parameter stray: a word of a line that is no list of directives.
    private mutating func restrict(by stray: CacheDirective) {
        switch stray.name {
        case "no-store": noStore = true
        case "no-cache": noCache = true
        case "max-age": maxAge = min(maxAge ?? .infinity, stray.seconds ?? 0)
        case "min-fresh": minFresh = max(minFresh ?? 0, stray.seconds ?? 0)
        case "max-stale": maxStale = min(maxStale ?? 0, stray.seconds ?? 0)
        case "stale-if-error": staleIfError = min(staleIfError ?? 0, stray.seconds ?? 0)
        default: break
        }
    }
}
