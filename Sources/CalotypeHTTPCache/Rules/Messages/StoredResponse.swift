package import CalotypeHTTP

/// The head of one stored variant of a resource. Its body lies beside it.
///
/// What its fields say is read once, when the value is made.
package struct StoredResponse: Hashable, Sendable {
    /// The key it is stored under: ``CacheRules/key(for:)``.
    package let url: ByteString
    /// The method of the request that it answered: GET, or POST with its own Content-Location.
    package let method: HTTPMethod
    /// The status; 200 for a 206, whose range is in ``part``.
    package let status: Int
    /// End-to-end fields as they came, or as a validation has updated them. A Date is added where there was none.
    package let fields: HTTPFields
    /// When the request was sent, and when the head of the response was there: seconds since 1970.
    package let requestTime: Double
    /// When the response was received, in seconds since 1970.
    package let responseTime: Double
    /// The fields that Vary nominated, with the request's values (RFC 9111 §4.1).
    package let varying: [VaryingField]
    /// How many bytes of the body lie in the store.
    package internal(set) var bodyLength: Int
    /// Which part of the representation the stored bytes are; nil where they are all of it.
    package internal(set) var part: StoredPart?

    /// The meaning of the fields.
    let head: ParsedHead

    /// - Parameters:
    ///   - varying: from `CacheRules.varying(_:for:)`, or as it was written down.
    ///   - part: nil for a complete body of `bodyLength` bytes.
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
    }

    /// A Boolean value indicating whether the stored bytes are the whole representation.
    package var isComplete: Bool { part == nil }

    /// Two responses of one URL with the same key are the same variant: the later one takes the earlier one's place.
    package var variantKey: ByteString { varying.key }

    package static func == (left: StoredResponse, right: StoredResponse) -> Bool {
        left.url == right.url && left.method == right.method && left.status == right.status
            && left.fields == right.fields && left.requestTime == right.requestTime
            && left.responseTime == right.responseTime && left.varying == right.varying
            && left.bodyLength == right.bodyLength && left.part == right.part
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(varying)
        hasher.combine(responseTime)
    }
}

/// One request field that Vary nominated. RFC 9111 §4.1.
package struct VaryingField: Hashable, Sendable {
    /// The name of the field.
    package let name: CaselessString
    /// Normalised, and a digest where it is long; nil where the request had no such field, which matches only requests
    /// that have none either.
    package let value: ByteString?

    /// Creates a nominated field, for stores.
    package init(name: CaselessString, value: ByteString?) {
        self.name = name
        self.value = value
    }
}

extension [VaryingField] {
    var key: ByteString { map { "\($0.name.lowercased):\($0.value.map { "=\($0)" } ?? "")" }.joined(separator: "\n") }
}

/// Which bytes of a representation are stored: of a 206, or of a download that was interrupted.
package struct StoredPart: Hashable, Sendable {
    /// Positions in the whole representation.
    package let range: Range<Int>
    /// The length of the whole, where it is known.
    package let completeLength: Int?

    /// Creates a part, for stores.
    package init(range: Range<Int>, completeLength: Int?) {
        self.range = range
        self.completeLength = completeLength
    }
}

extension StoredResponse {
    /// The head as it may be stored once the body has ended, or has broken off; nil where it must not be kept.
    ///
    /// RFC 9111 §3.3: incomplete responses never pass for complete. What came of one is kept where the rest can be asked
    /// for: with a strong validator, from an origin that takes ranges. A body that is not as long as its head announced
    /// is no body.
    ///
    /// - Parameters:
    ///   - bodyLength: how many bytes came.
    ///   - isComplete: whether the body ended as the protocol says it must.
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

    func holding(_ bodyLength: Int, part: StoredPart?) -> StoredResponse {
        var copy = self
        copy.bodyLength = bodyLength
        copy.part = part
        return copy
    }
}
