import CalotypeHTTP

/// The effect of a 304 on the stored responses (RFC 9111 §4.3.3).
enum ValidationOutcome: Equatable, Sendable {
    /// The stored responses that the 304 validates, with their new heads. The first one answers the request.
    case confirmed([Confirmed])
    /// The 304 validates the client's copy, not a stored response.
    case forClient
    /// The 304 matches no condition of the cache. The request must be repeated without conditions.
    case unusable

    struct Confirmed: Equatable, Sendable {
        let index: Int
        /// The response with its new head. It answers this request even if its new head is not stored.
        let response: StoredResponse
        let keeping: Keeping
    }

    /// The change to a validated response in the store.
    enum Keeping: Hashable, Sendable {
        /// The response gets the new head.
        case updated
        /// The response remains unchanged, because the validation applies to this client alone (RFC 9111 §3.5).
        case untouched
        /// The response is removed, because the new head forbids storing it (§5.2.2.5, §5.2.2.7).
        case removed
    }
}

extension CacheRules {
    /// Determines which of the variants passed to ``decide(_:variants:now:)`` a 304 validates (RFC 9111 §4.3.4).
    ///
    /// - Parameters:
    ///   - request: The client's request.
    ///   - fields: The fields of the 304 as received. Add ``personalFields(of:)`` to the response for this client.
    ///   - validation: The conditions sent.
    func validated(
        _ variants: [StoredResponse], for request: HTTPRequest, by fields: HTTPFields, with validation: Validation,
        requestTime: Double, responseTime: Double
    ) -> ValidationOutcome {
        guard !validation.fields.isEmpty else { return .unusable }
        let head = ParsedHead(fields, receivedAt: responseTime)
        let confirmed = confirmed(variants, by: head, validation, for: request)
        guard !confirmed.isEmpty else { return isForClient(head, request, validation) ? .forClient : .unusable }
        let order = confirmed.sorted { left, right in
            left == validation.index || (right != validation.index && isNewer(variants[left], variants[right]))
        }
        let isForAll = mayKeep(head.directives(isShared: isShared), from: request)
        return .confirmed(
            order.map { index in
                let response = updated(
                    variants[index], by: fields, for: request, requestTime: requestTime, responseTime: responseTime)
                return ValidationOutcome.Confirmed(
                    index: index, response: response,
                    keeping: !isForAll ? .untouched : mayStay(response) ? .updated : .removed)
            })
    }

    /// Returns `true` if the 304 may validate the client's copy: it has no tag, or one of those that the client sent.
    private func isForClient(_ head: ParsedHead, _ request: HTTPRequest, _ validation: Validation) -> Bool {
        guard validation.includesClientConditions else { return false }
        guard let tag = head.entityTag, let list = request.fields["If-None-Match"] else { return true }
        return switch EntityTagList(list) {
        case .any: true
        case .tags(let tags): tags.contains { $0.matchesWeakly(tag) }
        }
    }

    /// Returns all candidates with the 304's strong tag, and all other responses with it that the request could have
    /// got; or the newest candidate with its weak tag. Without a tag, returns the newest with its Last-Modified, or else
    /// the only candidate unless the client's own conditions were sent.
    private func confirmed(
        _ variants: [StoredResponse], by head: ParsedHead, _ validation: Validation, for request: HTTPRequest
    ) -> [Int] {
        let candidates = validation.candidates.filter(variants.indices.contains)
        if let tag = head.entityTag {
            guard !tag.isWeak else {
                let same = candidates.filter { variants[$0].head.entityTag?.matchesWeakly(tag) == true }
                return newest(same, variants)
            }
            let others = select(variants, for: request).filter { !candidates.contains($0) }
            return (candidates + others).filter { variants[$0].head.entityTag?.matchesStrongly(tag) == true }
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

    /// Applies a HEAD's 200 to stored responses to GET (RFC 9111 §4.3.5), unless it was for one client alone (§3.5), or the
    /// request had no-store, after which no part of its response may be kept (§5.2.1.5).
    ///
    /// - Returns: The new heads by position in `variants`. A `nil` head marks a response to remove: it contradicts the
    ///   HEAD, or must not be stored any more. Responses without an entry remain unchanged.
    func freshened(
        _ variants: [StoredResponse], for request: HTTPRequest, status: Int, fields: HTTPFields, requestTime: Double,
        responseTime: Double
    ) -> [Int: StoredResponse?] {
        guard request.method == .head, status == 200, !request.hasContent,
            !RequestDirectives(request.fields.values(of: "Cache-Control")).noStore
        else { return [:] }
        let head = ParsedHead(fields, receivedAt: responseTime)
        guard mayKeep(head.directives(isShared: isShared), from: request) else { return [:] }
        var changes: [Int: StoredResponse?] = [:]
        for index in select(variants, for: request) where variants[index].status == 200 {
            let stored = variants[index]
            let isSame = agrees(stored, with: head, length: fields.contentLength)
            let newer = updated(
                stored, by: fields, for: request, requestTime: requestTime, responseTime: responseTime)
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

    /// Returns the stored response with the newer end-to-end fields, which replace stored ones of the same name (§3.2).
    ///
    /// Content-Length, Content-Encoding and Content-Range are not replaced, because they describe the stored bytes.
    /// Stored Age and Date are removed even if the newer response has neither. A shared cache drops fields named in
    /// `private="…"` (§5.2.2.7) and the ``personalFields(of:)`` of both heads. If Vary has changed, the result has this
    /// request's values of the fields that it names.
    func updated(
        _ stored: StoredResponse, by newer: HTTPFields, for request: HTTPRequest, requestTime: Double,
        responseTime: Double
    ) -> StoredResponse {
        let usable = newer.endToEnd.removing(["Content-Length", "Content-Encoding", "Content-Range"])
        var fields = stored.fields.removing(Set(usable.lazy.map(\.name)).union(["Age", "Date"]))
        for field in usable { fields.append(field.value, to: field.name) }
        fields = withoutPersonalFields(fields)
        if !fields.contains("Date") { fields["Date"] = HTTPDate.format(responseTime) }
        let nominated = nominated(by: fields)
        let isSameVary = nominated == nil || nominated == stored.varying.map(\.name)
        return StoredResponse(
            url: stored.url, method: stored.method, status: stored.status, fields: withoutPrivate(fields),
            requestTime: requestTime, responseTime: responseTime,
            varying: isSameVary ? stored.varying : varying(fields, for: request) ?? stored.varying,
            bodyLength: stored.bodyLength, part: stored.part)
    }
}
