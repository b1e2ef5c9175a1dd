internal import CalotypeHTTP

/// The meaning of a stored response's fields, parsed once.
///
/// An object, so that copies of the response stay cheap.
final class ParsedHead: Sendable {
    /// Expires: absent, not a date, or a date.
    enum Expiry: Hashable, Sendable {
        case absent, invalid
        case at(Double)
    }

    private let cacheControl: ResponseDirectives
    /// CDN-Cache-Control, where it is valid and not empty (RFC 9213 §2.2).
    let targeted: ResponseDirectives?
    /// The value of Date, or `nil` if it is missing or no date.
    let date: Double?
    let expires: Expiry
    let lastModified: Double?
    /// Last-Modified as it came: what goes into If-Modified-Since.
    let lastModifiedText: ByteString?
    /// Seconds; 0 where Age is missing or junk.
    let age: Double
    let entityTag: EntityTag?
    let contentLanguages: [CaselessString]

    init(_ fields: HTTPFields, receivedAt now: Double) {
        func date(_ name: CaselessString) -> Double? {
            fields.firstValue(of: name).flatMap { HTTPDate.parse($0, now: now) }
        }
        cacheControl = ResponseDirectives(fields.values(of: "Cache-Control"))
        targeted = ResponseDirectives(targeted: fields.values(of: "CDN-Cache-Control"))
        self.date = date("Date")
        lastModified = date("Last-Modified")
        lastModifiedText = fields.firstValue(of: "Last-Modified")
        // RFC 9111 §4.2.1: of several, the first. §5.3: what is no date means "already expired".
        expires =
            fields.firstValue(of: "Expires").map { HTTPDate.parse($0, now: now).map(Expiry.at) ?? .invalid } ?? .absent
        age = AgeField.parse(fields.firstValue(of: "Age"))
        entityTag = fields.firstValue(of: "ETag").flatMap(EntityTag.init)
        contentLanguages = fields["Content-Language"].map(FieldList.members)?.map(CaselessString.init) ?? []
    }

    /// RFC 9213 §2.2: a shared cache minds CDN-Cache-Control, where there is one, and nothing else.
    func directives(isShared: Bool) -> ResponseDirectives { isShared ? targeted ?? cacheControl : cacheControl }

    var hasValidator: Bool { entityTag != nil || lastModified != nil }
}
