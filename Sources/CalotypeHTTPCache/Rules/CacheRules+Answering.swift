import CalotypeHTTP

/// The response to a request, made from a stored one (RFC 9111 §4.3.2, RFC 9110 §13 and §14). The fields include Age
/// and Content-Length. For a HEAD, the caller omits the body.
enum ClientAnswer: Hashable, Sendable {
    /// The stored status and the whole stored body.
    case whole(HTTPFields)
    /// 304, no body.
    case notModified(HTTPFields)
    /// 206, with this range of the stored body.
    case part(Range<Int>, HTTPFields)
    /// 416, no body.
    case unsatisfiable(HTTPFields)

    /// Returns the range of the stored bytes that the response contains, or `nil` for a 304 or 416.
    func stored(of head: StoredResponse) -> Range<Int>? {
        switch self {
        case .whole: 0..<head.bodyLength
        case .part(let range, _): range
        case .notModified, .unsatisfiable: nil
        }
    }
}

extension CacheRules {
    /// Returns the response to a request, made from a stored one (RFC 9111 §4.3.2, §5.1; RFC 9110 §13.2.2, §14.2).
    /// Unless the origin has just `validated` the stored response, fields named in `no-cache="…"` are omitted
    /// (§5.2.2.4). A shared cache returns a stored Set-Cookie only while the response is fresh.
    func answer(
        _ request: HTTPRequest, from stored: StoredResponse, validated: Bool = false, now: Double
    ) -> ClientAnswer {
        let facts = RequestFacts(request.fields)
        let freshness = freshness(of: stored, now: now)
        var fields = freshness.isFresh ? stored.fields : withoutPersonalFields(stored.fields)
        if !validated { fields = fields.removing(directives(of: stored).noCache.fieldNames) }
        fields["Age"] = "\(Int(min(DeltaSeconds.limit, freshness.age)))"
        if stored.status == 200, isNotModified(stored, facts, now: now) {
            return .notModified(notModifiedFields(fields))
        }
        if let answer = ranged(request, facts, stored, fields) { return answer }
        // If only a part is stored, this is a response to a HEAD, which announces the complete length.
        let length = stored.isComplete ? stored.bodyLength : stored.part?.completeLength
        if !StatusRules.hasNoContent(stored.status) { fields["Content-Length"] = length.map { "\($0)" } }
        return .whole(fields)
    }

    /// Returns `true` if the client's copy is current (RFC 9110 §13.2.2). If-None-Match overrides If-Modified-Since,
    /// which is compared with Last-Modified, or else Date, or else the time of receipt (RFC 9111 §4.3.2).
    private func isNotModified(_ stored: StoredResponse, _ facts: RequestFacts, now: Double) -> Bool {
        if let list = facts.ifNoneMatch {
            switch EntityTagList(list) {
            case .any: return true
            case .tags(let tags):
                guard let own = stored.head.entityTag else { return false }
                return tags.contains { $0.matchesWeakly(own) }
            }
        }
        guard let since = facts.ifModifiedSince.flatMap({ HTTPDate.parse($0, now: now) }) else { return false }
        return stored.head.lastModified ?? stored.head.date ?? stored.responseTime <= since
    }

    /// Returns the fields of a 304: only those that a downstream cache needs (RFC 9110 §15.4.5).
    private func notModifiedFields(_ fields: HTTPFields) -> HTTPFields {
        let names: [CaselessString] = [
            "Cache-Control", "CDN-Cache-Control", "Content-Location", "Date", "ETag", "Expires", "Vary", "Age",
            "Last-Modified",
        ]
        let hasTag = fields.contains("ETag")
        return HTTPFields(
            fields.filter { field in
                names.contains(field.name) && !(hasTag && field.name == "Last-Modified")
            })
    }

    /// Returns the 206 or 416 for a GET with Range (RFC 9110 §14.2), or `nil` if Range does not apply or its bytes are
    /// not stored.
    private func ranged(
        _ request: HTTPRequest, _ facts: RequestFacts, _ stored: StoredResponse, _ fields: HTTPFields
    ) -> ClientAnswer? {
        guard request.method == .get, stored.status == 200, let range = facts.range.flatMap(ByteRange.init),
            isInRange(stored, facts.ifRange)
        else { return nil }
        var fields = fields.removing(["Content-Length", "Content-Range"])
        let length = stored.isComplete ? stored.bodyLength : stored.part?.completeLength
        let wanted = length.map(range.resolved) ?? range.bounded ?? 0..<0
        guard !wanted.isEmpty else {
            guard let length else { return nil }
            fields["Content-Range"] = "bytes */\(length)"
            fields["Content-Length"] = "0"
            return .unsatisfiable(fields.removing(["Content-Type", "Content-Encoding", "Content-Language", "ETag"]))
        }
        let start = stored.part?.range.lowerBound ?? 0
        let held = start..<(start + stored.bodyLength)
        guard held.lowerBound <= wanted.lowerBound, wanted.upperBound <= held.upperBound else { return nil }
        fields["Content-Range"] =
            "bytes \(wanted.lowerBound)-\(wanted.upperBound - 1)/\(length.map(String.init) ?? "*")"
        fields["Content-Length"] = "\(wanted.count)"
        return .part((wanted.lowerBound - start)..<(wanted.upperBound - start), fields)
    }

    /// Returns `true` if If-Range is absent or allows a partial response (RFC 9110 §13.1.5). A tag must match strongly.
    /// A date must equal Last-Modified and be strong (§8.8.2.2), that is, at least a minute older than Date.
    func isInRange(_ stored: StoredResponse, _ ifRange: ByteString?) -> Bool {
        guard let ifRange else { return true }
        if let date = HTTPDate.parse(ifRange, now: stored.responseTime) {
            return stored.head.lastModified == date && stored.head.date.map { $0 - date >= 60 } == true
        }
        guard let presented = EntityTag(ifRange), let own = stored.head.entityTag else { return false }
        return own.matchesStrongly(presented)
    }

    /// Returns `true` if the stored bytes are complete or contain the requested range, and for every HEAD.
    func holds(_ stored: StoredResponse, what request: HTTPRequest, _ facts: RequestFacts) -> Bool {
        if stored.isComplete || request.method == .head { return true }
        guard let part = stored.part, let range = facts.range.flatMap(ByteRange.init),
            isInRange(stored, facts.ifRange)
        else { return false }
        let wanted = part.completeLength.map(range.resolved) ?? range.bounded ?? 0..<0
        return !wanted.isEmpty && part.range.lowerBound <= wanted.lowerBound
            && wanted.upperBound <= part.range.upperBound
    }
}
