import CalotypeHTTP

/// The decision about a response that should contain the rest of a stored part (RFC 9111 §3.4).
enum CombineDecision: Equatable, Sendable {
    /// The bytes continue the stored part. The value is the head of the combined response; at the end of the body,
    /// ``StoredResponse/ended(bodyLength:isComplete:)`` returns the head to store, given the total length.
    case append(StoredResponse)
    /// The bytes belong to another representation or range. The stored part is useless.
    case discard
}

extension CacheRules {
    /// Returns the fields that request the rest of a stored part (RFC 9111 §3.3, §3.4), or `nil` without a part that
    /// begins at byte 0 and has a strong ETag, which alone proves that two parts belong to one representation.
    func rest(of stored: StoredResponse) -> HTTPFields? {
        guard let part = stored.part, part.range.lowerBound == 0, stored.status == 200,
            let tag = stored.head.entityTag, !tag.isWeak
        else { return nil }
        return ["Range": "bytes=\(part.range.upperBound)-", "If-Range": tag.text]
    }

    /// Decides whether a 206 continues the stored part (RFC 9111 §3.4): it has the same strong ETag, coding and complete
    /// length, and begins at the part's end. Newer fields replace older ones (§3.2).
    func combine(
        _ stored: StoredResponse, with fields: HTTPFields, for request: HTTPRequest, requestTime: Double,
        responseTime: Double
    ) -> CombineDecision {
        guard let part = stored.part, let own = stored.head.entityTag, hasSameCoding(stored.fields, fields),
            let tag = fields.firstValue(of: "ETag").flatMap(EntityTag.init), own.matchesStrongly(tag),
            let content = fields.firstValue(of: "Content-Range").flatMap(ContentRange.init),
            content.range.lowerBound == part.range.upperBound,
            fields.contentLength.map({ $0 == content.range.count }) ?? true,
            let length = content.completeLength ?? part.completeLength,
            part.completeLength ?? length == length, content.range.upperBound <= length
        else { return .discard }
        var newer = fields
        newer["Content-Range"] = nil
        newer["Content-Length"] = nil
        let whole = part.range.lowerBound..<content.range.upperBound
        return .append(
            updated(stored, by: newer, for: request, requestTime: requestTime, responseTime: responseTime)
                .holding(whole.count, part: StoredPart(range: whole, completeLength: length)))
    }

    /// Whether the part has the coding of the stored one. A 206 need not repeat Content-Encoding (RFC 9110 §15.3.7), but if
    /// it does, another coding is another representation, whatever its ETag.
    private func hasSameCoding(_ stored: HTTPFields, _ part: HTTPFields) -> Bool {
        !part.contains("Content-Encoding") || part.contentCodings == stored.contentCodings
    }

    /// Decides about a request for bytes beyond the stored part. For a request with Authorization, a shared cache does
    /// not complete the part, because the origin may return another representation to that user (§3.5).
    func completion(
        of index: Int, _ stored: StoredResponse, _ request: HTTPRequest, _ facts: RequestFacts,
        _ directives: RequestDirectives
    ) -> CacheDecision {
        guard request.method == .get, facts.range == nil, !facts.isConditional, !directives.noCache,
            !isShared || !request.fields.contains("Authorization"),
            let fields = rest(of: stored)
        else { return .forward(.partial) }
        return .resume(index, fields)
    }
}

extension HTTPFields {
    /// The names in Content-Encoding, in their order, without "identity".
    var contentCodings: [CaselessString] {
        FieldList.names(values(of: "Content-Encoding")).filter { $0 != "identity" }
    }
}
