package import CalotypeHTTP

/// The meaning of a 304 to a validation. RFC 9111 §4.3.3.
package enum ValidationOutcome: Hashable, Sendable {
    /// These stored responses are good, with these heads from now on. The first one answers the request.
    case confirmed([Confirmed])
    /// The 304 is for the client: its own copy is good, and ours is another.
    case forClient
    /// It fits nothing that was asked: send the request again without conditions.
    case unusable

    package struct Confirmed: Hashable, Sendable {
        package let index: Int
        /// With the head that it has from now on, to answer this request with.
        package let response: StoredResponse
        package let keeping: Keeping
    }

    /// The treatment of a stored response that was confirmed.
    package enum Keeping: Hashable, Sendable {
        /// It gets the new head.
        case updated
        /// It stays as it was: the confirmation was for this client alone (RFC 9111 §3.5).
        case untouched
        /// It goes: the new head forbids to store it (§5.2.2.5, §5.2.2.7).
        case removed
    }
}

extension CacheRules {
    /// RFC 9111 §4.3.4: which of the stored responses a 304 confirms, and what their heads are from then on.
    ///
    /// - Parameters:
    ///   - variants: the same that ``decide(_:variants:now:)`` was given.
    ///   - request: the client's.
    ///   - fields: of the 304, as they came. ``personalFields(of:)`` of them belong into this answer.
    ///   - validation: what was sent.
    package func validated(
        _ variants: [StoredResponse], for request: HTTPRequest, by fields: HTTPFields, with validation: Validation,
        requestTime: Double, responseTime: Double
    ) -> ValidationOutcome {
        guard !validation.fields.isEmpty else { return .unusable }
        let confirmed = confirmed(variants, by: ParsedHead(fields, receivedAt: responseTime), validation)
        guard !confirmed.isEmpty else { return validation.includesClientConditions ? .forClient : .unusable }
        let order = confirmed.sorted { left, right in
            left == validation.index || (right != validation.index && isNewer(variants[left], variants[right]))
        }
        let isForAll = mayKeep(directives(in: fields), from: request)
        return .confirmed(
            order.map { index in
                let response = updated(
                    variants[index], by: fields, for: request, requestTime: requestTime, responseTime: responseTime)
                return ValidationOutcome.Confirmed(
                    index: index, response: response,
                    keeping: !isForAll ? .untouched : mayStay(response) ? .updated : .removed)
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

    /// RFC 9111 §4.3.5: what a 200 to HEAD says about the stored answers to GET. Nothing, where it was for one client alone
    /// (§3.5).
    ///
    /// - Returns: by position in `variants`, the heads that it freshens; nil for a head that it contradicts, which is
    ///   stale from then on and best removed, and for one that may not be stored any more. What is not mentioned stays as
    ///   it is.
    package func freshened(
        _ variants: [StoredResponse], for request: HTTPRequest, status: Int, fields: HTTPFields, requestTime: Double,
        responseTime: Double
    ) -> [Int: StoredResponse?] {
        guard request.method == .head, status == 200, !request.hasContent else { return [:] }
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

    /// §3.2: every end-to-end field takes the place of the stored one of its name.
    ///
    /// But for Content-Length, and for Content-Encoding and Content-Range, which tell how to read the bytes that are
    /// stored. Age and Date are of the moment: the stored ones go even where the new response has none. What `private="…"`
    /// names now is not kept in a shared cache (§5.2.2.7), and neither are the ``personalFields(of:)`` of either head. Where
    /// Vary nominates other fields than before, only what this request said there is known.
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
