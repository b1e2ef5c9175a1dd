package import CalotypeHTTP

/// The decision about an answer to a request for the rest of a stored part. RFC 9111 §3.4.
package enum CombineDecision: Hashable, Sendable {
    /// It continues what is stored: the stored bytes, then these. The head announces the result; when the body has ended,
    /// ``StoredResponse/ended(bodyLength:isComplete:)`` tells what it has become, by the length of both together.
    case append(StoredResponse)
    /// It is of another representation or another place: the stored part is worth nothing.
    case discard
}

extension CacheRules {
    /// RFC 9111 §3.3 and §3.4, RFC 9110 §13.1.5: the fields that ask for what is missing behind a stored part.
    ///
    /// - Returns: nil where there is no strong validator, so that two parts could never be known to be of one whole, or
    ///   where the part does not begin at the beginning.
    package func rest(of stored: StoredResponse) -> HTTPFields? {
        guard let part = stored.part, part.range.lowerBound == 0, stored.status == 200,
            let tag = stored.head.entityTag, !tag.isWeak
        else { return nil }
        return ["Range": "bytes=\(part.range.upperBound)-", "If-Range": tag.text]
    }

    /// RFC 9111 §3.4: whether a 206 goes together with the stored part, and the head of both.
    ///
    /// The same strong validator in both, a range that begins where the stored one ends, and the same complete length.
    /// The newer fields replace the older (§3.2).
    package func combine(
        _ stored: StoredResponse, with fields: HTTPFields, for request: HTTPRequest, requestTime: Double,
        responseTime: Double
    ) -> CombineDecision {
        guard let part = stored.part, let own = stored.head.entityTag,
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

    /// Decides about a request for bytes that the stored part lacks.
    ///
    /// §3.5: the rest that one client gets with its credentials is not the rest of what the others got.
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
