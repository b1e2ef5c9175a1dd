/// What a response's Cache-Control, or the field that stands in for it, says (RFC 9111 §5.2.2).
///
/// Of a directive with a number the first counts; a number that is none makes the response stale (§4.2.1).
struct ResponseDirectives: Hashable, Sendable {
    /// A directive that concerns the whole response or, in its qualified form, only some fields.
    enum Scope: Hashable, Sendable {
        case absent, whole
        /// Names in lower case.
        case fields([String])

        /// The wider of both.
        func joined(with other: Scope) -> Scope {
            switch (self, other) {
            case (.whole, _), (_, .whole): .whole
            case (.fields(let left), .fields(let right)): .fields(left + right)
            case (.absent, _): other
            case (_, .absent): self
            }
        }

        var fieldNames: [String] {
            if case .fields(let names) = self { names } else { [] }
        }
    }

    var noStore = false
    var noCache = Scope.absent
    var isPrivate = Scope.absent
    var isPublic = false
    var mustRevalidate = false
    var proxyRevalidate = false
    var mustUnderstand = false
    /// RFC 8246.
    var immutable = false
    var maxAge: Double?
    var sharedMaxAge: Double?
    /// RFC 5861 §3 and §4: seconds beyond freshness.
    var staleWhileRevalidate: Double?
    var staleIfError: Double?

    init() {}

    /// - Parameter text: all lines as one list.
    init(_ text: String?) {
        guard let text else { return }
        for directive in CacheDirective.parse(text) { take(directive) }
    }

    private mutating func take(_ directive: CacheDirective) {
        switch directive.name {
        case "no-store": noStore = true
        case "no-cache": noCache = noCache.joined(with: Self.scope(directive.argument))
        case "private": isPrivate = isPrivate.joined(with: Self.scope(directive.argument))
        case "public": isPublic = true
        case "must-revalidate": mustRevalidate = true
        case "proxy-revalidate": proxyRevalidate = true
        case "must-understand": mustUnderstand = true
        case "immutable": immutable = true
        case "max-age": maxAge = maxAge ?? directive.seconds ?? 0
        case "s-maxage": sharedMaxAge = sharedMaxAge ?? directive.seconds ?? 0
        case "stale-while-revalidate": staleWhileRevalidate = staleWhileRevalidate ?? directive.seconds ?? 0
        case "stale-if-error": staleIfError = staleIfError ?? directive.seconds ?? 0
        default: break
        }
    }

    /// RFC 9111 §5.2.2.4 and §5.2.2.7. A list that names nothing, or is no list, means the whole response.
    static func scope(_ argument: CacheDirective.Argument) -> Scope {
        guard case .text(let text) = argument else { return .whole }
        let names = FieldList.members(text).map(\.lowercasedASCII)
        return names.isEmpty || !names.allSatisfy { $0.utf8.allSatisfy(\.isTokenCharacter) } ? .whole : .fields(names)
    }
}
