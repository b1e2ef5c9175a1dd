internal import CalotypeHTTP

/// The request fields that a cache needs, read in one pass.
struct RequestFacts {
    /// The lines of Cache-Control, which are parsed separately.
    var cacheControl: [ByteString] = []
    var range: ByteString?
    var ifRange: ByteString?
    var ifNoneMatch: ByteString?
    var ifModifiedSince: ByteString?
    /// Whether the request has If-Match or If-Unmodified-Since, which only the origin can evaluate (RFC 9111 §4.3.2).
    var hasOriginConditions = false

    init(_ fields: HTTPFields) {
        for field in fields {
            switch field.name.count {
            case 5: Self.take(field, "Range", &range)
            case 8:
                Self.take(field, "If-Range", &ifRange)
                if field.name == "If-Match" { hasOriginConditions = true }
            case 13:
                if field.name == "Cache-Control" { cacheControl.append(field.value) }
                Self.take(field, "If-None-Match", &ifNoneMatch)
            case 17: Self.take(field, "If-Modified-Since", &ifModifiedSince)
            case 19: if field.name == "If-Unmodified-Since" { hasOriginConditions = true }
            default: break
            }
        }
    }

    /// Adds a line of a field to the field's value: several lines form one list.
    private static func take(_ field: HTTPFields.Field, _ name: CaselessString, _ value: inout ByteString?) {
        guard field.name == name else { return }
        if value == nil { value = field.value } else { value?.appendLine(field.value) }
    }

    var isConditional: Bool { ifNoneMatch != nil || ifModifiedSince != nil }
}
