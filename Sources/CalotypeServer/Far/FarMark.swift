import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache

// The time at which a near result was written to the far store. The near store keeps it in a field of the result's head,
// so that a node which starts again writes no page twice. It reaches neither clients nor the far store.

extension HTTPFields {
    static let markName: CaselessString = "Calotype-Far"

    /// The time of writing, in seconds since 1970; `nil` for a result that is not known to be in the far store.
    var farMark: Int? {
        get { self[Self.markName]?.asDigits }
        set { self[Self.markName] = newValue.map { "\($0)" } }
    }
}

extension StoredVariant {
    /// Returns the variant with another time of writing.
    func marked(_ time: Int?) -> StoredVariant {
        var fields = head.fields
        fields.farMark = time
        return with(fields)
    }

    /// Returns the variant with other header fields.
    func with(_ fields: HTTPFields) -> StoredVariant {
        var variant = self
        variant.head = StoredResponse(
            url: head.url, method: head.method, status: head.status, fields: fields, requestTime: head.requestTime,
            responseTime: head.responseTime, varying: head.varying, bodyLength: head.bodyLength, part: head.part)
        return variant
    }
}
