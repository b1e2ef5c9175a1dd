public import CalotypeHTTP

/// What a 304 to a validation means. RFC 9111 §4.3.3.
public enum ValidationOutcome: Hashable, Sendable {
    /// These stored responses are good, with these heads from now on. The first one answers the request.
    case confirmed([Confirmed])
    /// The 304 is for the client: its own copy is good, and ours is another.
    case forClient
    /// It fits nothing that was asked: send the request again without conditions.
    case unusable

    public struct Confirmed: Hashable, Sendable {
        public let index: Int
        public let response: StoredResponse
    }
}

extension CacheRules {
    /// RFC 9111 §4.3.4: which of the stored responses a 304 confirms, and what their heads are from then on.
    ///
    /// - Parameters:
    ///   - variants: the same that ``decide(_:variants:now:)`` was given.
    ///   - validation: what was sent.
    ///   - fields: of the 304, as they came.
    public func validated(
        _ variants: [StoredResponse], by fields: HTTPFields, with validation: Validation, requestTime: Double,
        responseTime: Double
    ) -> ValidationOutcome {
        guard !validation.fields.isEmpty else { return .unusable }
        let confirmed = confirmed(variants, by: ParsedHead(fields, receivedAt: responseTime), validation)
        guard !confirmed.isEmpty else { return validation.includesClientConditions ? .forClient : .unusable }
        let order = confirmed.sorted { left, right in
            left == validation.index || (right != validation.index && isNewer(variants[left], variants[right]))
        }
        return .confirmed(
            order.map {
                ValidationOutcome.Confirmed(
                    index: $0,
                    response: updated(variants[$0], by: fields, requestTime: requestTime, responseTime: responseTime))
            })
    }

    /// A strong validator confirms all that carry it; a weak one the newest; none, the only one that was asked about.
    private func confirmed(
        _ variants: [StoredResponse], by head: ParsedHead, _ validation: Validation
    ) -> [Int] {
        let candidates = validation.candidates.filter(variants.indices.contains)
        if let tag = head.entityTag {
            guard !tag.isWeak else {
                let same = candidates.filter { variants[$0].head.entityTag?.matchesWeakly(tag) == true }
                return newest(same, variants)
            }
            return candidates.filter { variants[$0].head.entityTag?.matchesStrongly(tag) == true }
        }
        if let modified = head.lastModified {
            let same = candidates.filter { variants[$0].head.lastModified == modified }
            if !same.isEmpty { return newest(same, variants) }
        }
        return candidates.count == 1 && !validation.includesClientConditions ? candidates : []
    }

    private func newest(_ indices: [Int], _ variants: [StoredResponse]) -> [Int] {
        indices.sorted { isNewer(variants[$0], variants[$1]) }.prefix(1).map { $0 }
    }

    /// RFC 9111 §4.3.5: what a 200 to HEAD says about the stored answers to GET.
    ///
    /// - Returns: by position in `variants`, the heads that it freshens; nil for a head that it contradicts, which is
    ///   stale from then on and best removed, and for one that may not be stored any more. What is not mentioned stays as
    ///   it is.
    public func freshened(
        _ variants: [StoredResponse], for request: HTTPRequest, status: Int, fields: HTTPFields, requestTime: Double,
        responseTime: Double
    ) -> [Int: StoredResponse?] {
        guard request.method == .head, status == 200 else { return [:] }
        let head = ParsedHead(fields, receivedAt: responseTime)
        var changes: [Int: StoredResponse?] = [:]
        for index in select(variants, for: request) where variants[index].status == 200 {
            let stored = variants[index]
            let isSame = agrees(stored, with: head, length: fields.contentLength)
            let newer = updated(stored, by: fields, requestTime: requestTime, responseTime: responseTime)
            changes[index] = .some(isSame && mayStay(newer) ? newer : nil)
        }
        return changes
    }

    private func agrees(_ stored: StoredResponse, with head: ParsedHead, length: Int?) -> Bool {
        if let tag = head.entityTag, stored.head.entityTag?.matchesWeakly(tag) != true { return false }
        if let modified = head.lastModified, stored.head.lastModified != modified { return false }
        let known = stored.isComplete ? stored.bodyLength : stored.part?.completeLength
        return length == nil || known == nil || length == known
    }

    /// §3.2: every end-to-end field takes the place of the stored one of its name.
    ///
    /// But for Content-Length, and for Content-Encoding and Content-Range, which tell how to read the bytes that are
    /// stored. Age and Date are of the moment: the stored ones go even where the new response has none. What `private="…"`
    /// names now is not kept in a shared cache (§5.2.2.7).
    func updated(
        _ stored: StoredResponse, by newer: HTTPFields, requestTime: Double, responseTime: Double
    ) -> StoredResponse {
        let usable = newer.endToEnd.removing(["Content-Length", "Content-Encoding", "Content-Range"])
        var fields = stored.fields.removing(usable.map(\.name) + ["Age", "Date"])
        for field in usable { fields.append(field.value, to: field.name) }
        if !fields.contains("Date") { fields["Date"] = HTTPDate.format(responseTime) }
        return StoredResponse(
            url: stored.url, method: stored.method, status: stored.status, fields: withoutPrivate(fields),
            requestTime: requestTime, responseTime: responseTime, varying: stored.varying,
            bodyLength: stored.bodyLength, part: stored.part)
    }
}
