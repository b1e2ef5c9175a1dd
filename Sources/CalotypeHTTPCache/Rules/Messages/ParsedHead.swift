internal import CalotypeHTTP

/// The parsed fields of a stored response. A class, so that copies of the response are cheap.
final class ParsedHead: Sendable {
    enum Expiry: Hashable, Sendable {
        case absent, invalid
        case at(Double)
    }

    private let cacheControl: ResponseDirectives
    /// The directives of CDN-Cache-Control, or `nil` if the field is missing, invalid or empty (RFC 9213 §2.2).
    let targeted: ResponseDirectives?
    /// The value of Date, or `nil` if it is missing or invalid.
    let date: Double?
    let expires: Expiry
    let lastModified: Double?
    /// Last-Modified as received, for If-Modified-Since.
    let lastModifiedText: ByteString?
    /// The value of Age in seconds; 0 if it is missing or invalid.
    let age: Double
    let entityTag: EntityTag?
    let contentLanguages: [CaselessString]
    /// The differences between URLs that make none for the response, or `nil` if each URL has its own.
    let searchVariance: SearchVariance?
    /// The groups of the response, or `nil` if it has none.
    let groups: CacheGroups?

    init(_ fields: HTTPFields, receivedAt now: Double) {
        func date(_ name: CaselessString) -> Double? {
            fields.firstValue(of: name).flatMap { HTTPDate.parse($0, now: now) }
        }
        cacheControl = ResponseDirectives(fields.values(of: "Cache-Control"))
        targeted = ResponseDirectives(targeted: fields.values(of: "CDN-Cache-Control"))
        self.date = date("Date")
        lastModified = date("Last-Modified")
        lastModifiedText = fields.firstValue(of: "Last-Modified")
        // RFC 9111 §4.2.1: the first of several values counts. §5.3: an invalid date means "already expired".
        expires =
            fields.firstValue(of: "Expires").map { HTTPDate.parse($0, now: now).map(Expiry.at) ?? .invalid } ?? .absent
        age = AgeField.parse(fields.firstValue(of: "Age"))
        entityTag = fields.firstValue(of: "ETag").flatMap(EntityTag.init)
        searchVariance = SearchVariance(fields)
        groups = CacheGroups(fields, "Cache-Groups")
        contentLanguages = fields["Content-Language"].map(FieldList.members)?.map(CaselessString.init) ?? []
    }

    /// Returns the directives to obey: in a shared cache, CDN-Cache-Control replaces Cache-Control (RFC 9213 §2.2).
    func directives(isShared: Bool) -> ResponseDirectives { isShared ? targeted ?? cacheControl : cacheControl }

    var hasValidator: Bool { entityTag != nil || lastModified != nil }
}
