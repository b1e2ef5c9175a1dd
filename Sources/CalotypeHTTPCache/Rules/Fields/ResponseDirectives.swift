internal import CalotypeHTTP

/// The directives of a response's Cache-Control (RFC 9111 §5.2.2), or of CDN-Cache-Control, which replaces it: a
/// dictionary of the same directives (RFC 9213 §2.1).
///
/// The first of repeated numbers wins. An invalid number counts as 0, so that the response is stale (§4.2.1). In a
/// malformed line, only restrictions and the smallest of its numbers count.
struct ResponseDirectives: Hashable, Sendable {
    var noStore = false
    var noCache = Scope.absent
    var isPrivate = Scope.absent
    var isPublic = false
    var mustRevalidate = false
    var proxyRevalidate = false
    var mustUnderstand = false
    /// Whether the response never changes while it is fresh (RFC 8246).
    var immutable = false
    var maxAge: Double?
    var sharedMaxAge: Double?
    /// The permitted staleness in seconds, during a revalidation (RFC 5861 §3) and after a failure of the origin (§4).
    var staleWhileRevalidate: Double?
    var staleIfError: Double?
    /// Whether a shared cache may store the response to a request with Authorization (RFC 9111 §3.5).
    private(set) var allowsAuthorization = false
    /// Whether public, max-age or s-maxage allows a shared cache to share a response that sets a cookie.
    private(set) var allowsCookies = false
    /// Whether a malformed line contains no-store or must-understand. Such a no-store is not overridden.
    private var hasStrayNoStore = false
    private var hasStrayMustUnderstand = false

    /// Applies a directive. Returns `false` if it does not allow a value of this type. To support another directive,
    /// add a property, a line here, and a rule that obeys it.
    private mutating func take(_ name: CaselessString, _ value: DirectiveValue) -> Bool {
        switch name {
        case "no-store": value.isStray ? value.demand(&hasStrayNoStore) : value.demand(&noStore)
        case "no-cache": value.restrict(&noCache)
        case "private": value.restrict(&isPrivate)
        case "public": value.allow(&isPublic)
        case "must-revalidate": value.demand(&mustRevalidate)
        case "proxy-revalidate": value.demand(&proxyRevalidate)
        case "must-understand":
            value.isStray ? value.demand(&hasStrayMustUnderstand) : value.demand(&mustUnderstand)
        case "immutable": value.allow(&immutable)
        case "max-age": value.limit(&maxAge)
        case "s-maxage": value.limit(&sharedMaxAge)
        case "stale-while-revalidate": value.limit(&staleWhileRevalidate, absent: 0)
        case "stale-if-error": value.limit(&staleIfError, absent: 0)
        default: true
        }
    }

    init() {}

    /// - Parameter lines: The lines of Cache-Control, each parsed separately.
    init(_ lines: some Sequence<ByteString>) {
        let directives = CacheDirective.all(in: lines)
        for directive in directives.listed { _ = take(directive.name, .listed(directive.argument)) }
        notePermissions()
        for directive in directives.stray { _ = take(directive.name, .stray(directive.argument)) }
    }

    /// - Parameter lines: The lines of CDN-Cache-Control. RFC 8941 §4.2 joins them before parsing, so that a string
    ///   could begin in one line and end in another; here each line must be valid.
    /// - Returns: `nil` if there is no directive, a line is malformed, or a known directive has a value of the wrong
    ///   type; the field must then be ignored (RFC 9213 §2.2).
    init?(targeted lines: some Sequence<ByteString>) {
        var members: [ByteString: StructuredField.Value] = [:]
        for line in lines {
            guard let dictionary = StructuredField.dictionary(line) else { return nil }
            members.merge(dictionary) { $1 }
        }
        guard !members.isEmpty else { return nil }
        for (name, value) in members {
            guard take(CaselessString(name), .structured(value)) else { return nil }
        }
        notePermissions()
    }

    /// Records the permissions that the directives read so far grant. Malformed lines are read later, and grant none.
    private mutating func notePermissions() {
        allowsAuthorization = isPublic || mustRevalidate || sharedMaxAge != nil
        allowsCookies = isPublic || maxAge != nil || sharedMaxAge != nil
    }

    /// Returns `true` if storing is forbidden (§5.2.2.3 and §5.2.2.5). must-understand overrides no-store for a known
    /// status, and forbids storing a response with an unknown one.
    func forbidStoring(_ status: Int) -> Bool {
        if hasStrayNoStore || noStore && !mustUnderstand { return true }
        return (mustUnderstand || hasStrayMustUnderstand) && !StatusRules.isUnderstood(status)
    }
}

extension ResponseDirectives {
    /// The scope of a directive: the whole response or, in its qualified form, only some fields.
    enum Scope: Hashable, Sendable {
        case absent, whole
        case fields(Set<CaselessString>)

        /// Creates a scope (RFC 9111 §5.2.2.4 and §5.2.2.7). An empty or malformed list means the whole response.
        init(_ argument: ByteString?) {
            let names = Set((argument.map(FieldList.members) ?? []).lazy.map(CaselessString.init))
            self = names.isEmpty || !names.allSatisfy(\.isHTTPToken) ? .whole : .fields(names)
        }

        /// Returns the union of two scopes.
        func joined(with other: Scope) -> Scope {
            switch (self, other) {
            case (.whole, _), (_, .whole): .whole
            case (.fields(let left), .fields(let right)): .fields(left.union(right))
            case (.absent, _): other
            case (_, .absent): self
            }
        }

        var fieldNames: Set<CaselessString> {
            if case .fields(let names) = self { names } else { [] }
        }
    }
}
