internal import CalotypeHTTP

/// The directives of a response's Cache-Control, or of the field that replaces it (RFC 9111 §5.2.2).
///
/// Of a directive with a number the first counts; a number that is none makes the response stale (§4.2.1). A line that is
/// no list of directives allows nothing: of its words those count that forbid something, and the smallest numbers.
struct ResponseDirectives: Hashable, Sendable {
    /// A directive that concerns the whole response or, in its qualified form, only some fields.
    enum Scope: Hashable, Sendable {
        case absent, whole
        case fields([CaselessString])

        /// The wider of both.
        func joined(with other: Scope) -> Scope {
            switch (self, other) {
            case (.whole, _), (_, .whole): .whole
            case (.fields(let left), .fields(let right)): .fields(left + right)
            case (.absent, _): other
            case (_, .absent): self
            }
        }

        var fieldNames: [CaselessString] {
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
    /// RFC 9111 §3.5: whether a shared cache may store the answer to a request with Authorization.
    private(set) var allowsAuthorization = false
    /// A Boolean value indicating whether a shared cache may give an answer that sets a cookie to others, by public,
    /// max-age or s-maxage.
    private(set) var allowsCookies = false
    /// no-store and must-understand as words of a line that is no list: there the latter does not overrule the former.
    private var hasStrayNoStore = false
    private var hasStrayMustUnderstand = false

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
        notePermissions()
        for stray in strays { restrict(by: stray) }
    }

    /// Only what was read without doubt permits anything.
    mutating func notePermissions() {
        allowsAuthorization = isPublic || mustRevalidate || sharedMaxAge != nil
        allowsCookies = isPublic || maxAge != nil || sharedMaxAge != nil
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

    /// - Parameter stray: a word of a line that is no list of directives.
    private mutating func restrict(by stray: CacheDirective) {
        switch stray.name {
        case "no-store": hasStrayNoStore = true
        case "no-cache": noCache = .whole
        case "private": isPrivate = .whole
        case "must-revalidate": mustRevalidate = true
        case "proxy-revalidate": proxyRevalidate = true
        case "must-understand": hasStrayMustUnderstand = true
        case "max-age": maxAge = min(maxAge ?? .infinity, stray.seconds ?? 0)
        case "s-maxage": sharedMaxAge = min(sharedMaxAge ?? .infinity, stray.seconds ?? 0)
        case "stale-while-revalidate": staleWhileRevalidate = min(staleWhileRevalidate ?? 0, stray.seconds ?? 0)
        case "stale-if-error": staleIfError = min(staleIfError ?? 0, stray.seconds ?? 0)
        default: break
        }
    }

    /// §5.2.2.3 and §5.2.2.5: must-understand overrules no-store where the status is known, and forbids the others.
    func forbidStoring(_ status: Int) -> Bool {
        if hasStrayNoStore || noStore && !mustUnderstand { return true }
        return (mustUnderstand || hasStrayMustUnderstand) && !StatusRules.isUnderstood(status)
    }

    /// RFC 9111 §5.2.2.4 and §5.2.2.7. A list that names nothing, or is no list, means the whole response.
    static func scope(_ argument: ByteString?) -> Scope {
        guard let argument else { return .whole }
        let names = FieldList.members(argument).map(CaselessString.init)
        return names.isEmpty || !names.allSatisfy(\.isHTTPToken) ? .whole : .fields(names)
    }
}
