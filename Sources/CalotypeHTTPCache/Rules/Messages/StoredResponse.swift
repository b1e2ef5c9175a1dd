public import CalotypeHTTP

/// The head of one stored response: everything but its body. The fields are parsed once.
public struct StoredResponse: Equatable, Sendable {
    /// The normalised URL of the request, or another URL with the same response (No-Vary-Search).
    public internal(set) var url: ByteString
    /// The method of the request: GET, or a POST whose Content-Location is its own URL.
    package let method: HTTPMethod
    /// The status; 200 for a stored part of a representation (206).
    public let status: Int
    /// The end-to-end fields as received or updated by a validation. A missing Date is added.
    public let fields: HTTPFields
    /// The time of sending the request, in seconds since 1970.
    public let requestTime: Double
    /// The time of receiving the response's head, in seconds since 1970.
    public let responseTime: Double
    /// The fields named in Vary, with the request's values (RFC 9111 §4.1).
    package let varying: [VaryingField]
    /// The number of body bytes in the store.
    public internal(set) var bodyLength: Int
    /// The stored part of the representation, or `nil` if all of it is stored.
    package internal(set) var part: StoredPart?
    /// The time from which a purge makes the response stale, in seconds since 1970. Never stored: the cache asks its
    /// purges at each lookup.
    var staleSince: Double?

    let head: ParsedHead
    /// The key of the variant: the names and values of ``varying``, empty without Vary. A later response with the same URL
    /// and variant key replaces this one.
    let variantKey: ByteString

    /// - Parameters:
    ///   - varying: The result of `CacheRules.varying(_:for:)`, which saving and loading must not change.
    ///   - part: The stored part, or `nil` for a complete body of `bodyLength` bytes.
    package init(
        url: ByteString, method: HTTPMethod = .get, status: Int, fields: HTTPFields, requestTime: Double,
        responseTime: Double, varying: [VaryingField] = [], bodyLength: Int = 0, part: StoredPart? = nil
    ) {
        self.url = url
        self.method = method
        self.status = status
        self.fields = fields
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.varying = varying
        self.bodyLength = bodyLength
        self.part = part
        head = ParsedHead(fields, receivedAt: responseTime)
        variantKey = varying.key
    }

    var isComplete: Bool { part == nil }

    public static func == (left: StoredResponse, right: StoredResponse) -> Bool {
        left.url == right.url && left.method == right.method && left.status == right.status
            && left.fields == right.fields && left.requestTime == right.requestTime
            && left.responseTime == right.responseTime && left.varying == right.varying
            && left.bodyLength == right.bodyLength && left.part == right.part
    }
}

/// A request field named in Vary (RFC 9111 §4.1).
package struct VaryingField: Hashable, Sendable {
    package let name: CaselessString
    /// The normalized value, or its digest if it is long; `nil` if the field was absent. Only equal values match.
    package let value: ByteString?

    package init(name: CaselessString, value: ByteString?) {
        self.name = name
        self.value = value
    }
}

extension [VaryingField] {
    /// The names and values as one text, in which no two lists are equal. ``CacheRules/nominated(by:)`` sorts the names.
    var key: ByteString {
        guard !isEmpty else { return "" }
        return map { "\($0.name.lowercased):\($0.value.map { "=\($0)" } ?? "")" }.joined(separator: "\n")
    }
}

/// The stored part of a representation, from a 206 or an interrupted download.
package struct StoredPart: Hashable, Sendable {
    /// The range in the whole representation.
    package let range: Range<Int>
    /// The complete length, or `nil` if unknown.
    package let completeLength: Int?

    package init(range: Range<Int>, completeLength: Int?) {
        self.range = range
        self.completeLength = completeLength
    }
}

extension StoredResponse {
    /// Returns the head to store after `bodyLength` bytes have arrived and the body has ended, completely or not; `nil`
    /// if the response must not be stored.
    ///
    /// An incomplete response never counts as complete (RFC 9111 §3.3). It is stored if the rest can be requested,
    /// which requires a strong ETag and a server that supports ranges. A complete body must have the announced length.
    package func ended(bodyLength: Int, isComplete: Bool) -> StoredResponse? {
        if let part { return ended(part, bodyLength: bodyLength, isComplete: isComplete) }
        let announced = fields.contentLength
        if isComplete {
            guard announced == nil || announced == bodyLength else { return nil }
            return holding(bodyLength, part: nil)
        }
        guard status == 200, bodyLength > 0, let announced, bodyLength < announced, canBeResumed else { return nil }
        return holding(bodyLength, part: StoredPart(range: 0..<bodyLength, completeLength: announced))
    }

    private func ended(_ part: StoredPart, bodyLength: Int, isComplete: Bool) -> StoredResponse? {
        let expected = part.range.count
        guard isComplete ? bodyLength == expected : bodyLength > 0 && bodyLength <= expected else { return nil }
        guard isComplete || head.entityTag?.isWeak == false else { return nil }
        let start = part.range.lowerBound
        let held = StoredPart(range: start..<(start + bodyLength), completeLength: part.completeLength)
        let isAll = start == 0 && bodyLength == part.completeLength
        return holding(bodyLength, part: isAll ? nil : held)
    }

    private var canBeResumed: Bool {
        let units = (fields["Accept-Ranges"].map(FieldList.members) ?? []).map(CaselessString.init)
        return units.contains("bytes") && head.entityTag?.isWeak == false
    }

    /// Returns the response as the variant of a request with these values.
    func varied(by varying: [VaryingField]) -> StoredResponse {
        StoredResponse(
            url: url, method: method, status: status, fields: fields, requestTime: requestTime,
            responseTime: responseTime, varying: varying, bodyLength: bodyLength, part: part)
    }

    func holding(_ bodyLength: Int, part: StoredPart?) -> StoredResponse {
        var copy = self
        copy.bodyLength = bodyLength
        copy.part = part
        return copy
    }
}
