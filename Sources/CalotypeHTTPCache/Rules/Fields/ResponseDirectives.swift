internal import CalotypeHTTP

/// The directives of a response's Cache-Control (RFC 9111 §5.2.2), or of the field that replaces it: CDN-Cache-Control,
/// a dictionary of the same directives (RFC 9213 §2.1).
///
/// Of a directive with a number the first counts; a number that is none makes the response stale (§4.2.1). A line that is
/// no list of directives allows nothing: of its words those count that forbid something, and the smallest numbers.
struct ResponseDirectives: Hashable, Sendable {
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

    /// Every directive that is known, in both syntaxes. To add one: a property, a line here, and the rule that obeys it.
    ///
    /// - Returns: `false` where the value is of a type that the directive does not have.
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

    /// - Parameter lines: of Cache-Control, each by itself.
    init(_ lines: some Sequence<ByteString>) {
        let directives = CacheDirective.all(in: lines)
        for directive in directives.listed { _ = take(directive.name, .listed(directive.argument)) }
        notePermissions()
        for directive in directives.stray { _ = take(directive.name, .stray(directive.argument)) }
    }

    /// - Parameter lines: of CDN-Cache-Control. RFC 8941 §4.2 has them parsed as one, which would let a string begin in one
    ///   line and end in another: each has to be right by itself.
    /// - Returns: `nil` where there is no directive, a line breaks the grammar, or a directive that is known has a value of
    ///   the wrong type; the field stands in for nothing then (RFC 9213 §2.2).
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

    /// Only what was read without doubt permits anything.
    private mutating func notePermissions() {
        allowsAuthorization = isPublic || mustRevalidate || sharedMaxAge != nil
        allowsCookies = isPublic || maxAge != nil || sharedMaxAge != nil
    }

    /// §5.2.2.3 and §5.2.2.5: must-understand overrules no-store where the status is known, and forbids the others.
    func forbidStoring(_ status: Int) -> Bool {
        if hasStrayNoStore || noStore && !mustUnderstand { return true }
        return (mustUnderstand || hasStrayMustUnderstand) && !StatusRules.isUnderstood(status)
    }
}

extension ResponseDirectives {
    /// A directive that concerns the whole response or, in its qualified form, only some fields.
    enum Scope: Hashable, Sendable {
        case absent, whole
        case fields(Set<CaselessString>)

        /// RFC 9111 §5.2.2.4 and §5.2.2.7. A list that names nothing, or is no list, means the whole response.
        init(_ argument: ByteString?) {
            let names = Set((argument.map(FieldList.members) ?? []).lazy.map(CaselessString.init))
            self = names.isEmpty || !names.allSatisfy(\.isHTTPToken) ? .whole : .fields(names)
        }

        /// The wider of both.
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
