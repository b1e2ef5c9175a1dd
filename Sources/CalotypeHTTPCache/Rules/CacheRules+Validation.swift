import CalotypeHTTP

/// The fields that turn a request into a validation (RFC 9111 §4.3.1).
package struct Validation: Hashable, Sendable {
    /// The position of the response to validate; `nil` if no response matches, and the origin may choose a candidate.
    let index: Int?
    /// The positions of the responses whose validators are in the fields.
    let candidates: [Int]
    /// The fields to set in the request. They replace the request's fields of the same names.
    let fields: HTTPFields
    /// `true` if the fields also contain the client's own conditions, so that a 304 may be for the client alone.
    let includesClientConditions: Bool
}

extension CacheRules {
    /// Returns the conditions that validate a stored response (RFC 9111 §4.3.1), or `nil` if it has no validators. The
    /// candidates' tags come first, then the client's own, so that one request validates both (§4.3.2). Last-Modified
    /// is sent only for a single response: with several, a 304 would not identify one of them.
    func validation(
        _ facts: RequestFacts, candidates: [Int], _ variants: [StoredResponse],
        confirming index: Int? = nil
    ) -> Validation? {
        let tagged = recent(candidates.filter { variants[$0].head.entityTag != nil }, variants)
        let own = tagged.compactMap { variants[$0].head.entityTag?.text }
        let clients = facts.ifNoneMatch.map(FieldList.members) ?? []
        let others = clients == ["*"] ? [] : clients.filter { !own.contains($0) }
        var fields = HTTPFields()
        if let first = own.first {
            fields["If-None-Match"] = own.count + others.count == 1 ? first : joined(own + others)
        }
        if let index, let modified = variants[index].head.lastModifiedText, variants[index].head.lastModified != nil {
            fields["If-Modified-Since"] = modified
        }
        guard !fields.isEmpty else { return nil }
        return Validation(
            index: index, candidates: index.map { [$0] } ?? tagged, fields: fields,
            includesClientConditions: own.isEmpty ? facts.ifNoneMatch != nil : !others.isEmpty)
    }

    /// Returns the newest of the candidates whose tags together have at most 4 KiB, and at least one.
    private func recent(_ candidates: [Int], _ variants: [StoredResponse]) -> [Int] {
        func length(_ index: Int) -> Int { variants[index].head.entityTag.map { $0.text.count + 2 } ?? 0 }
        guard candidates.count > 1, candidates.reduce(0, { $0 + length($1) }) > Self.tagsLength else {
            return candidates
        }
        var left = Self.tagsLength
        let newest = candidates.sorted { isNewer(variants[$0], variants[$1]) }
        let fitting = newest.prefix { index in
            left -= length(index)
            return left >= 0
        }
        return Array(fitting.isEmpty ? newest.prefix(1) : fitting)
    }

    /// Servers refuse requests with more than 8 KiB of fields.
    private static let tagsLength = 4 << 10

    private func joined(_ tags: [ByteString]) -> ByteString {
        var seen: Set<ByteString> = []
        return tags.filter { seen.insert($0).inserted }.joined(separator: ", ")
    }
}

extension Validation {
    /// Creates a validation without conditions: the response to the unchanged request replaces the stored one.
    init(confirming index: Int) {
        self.init(index: index, candidates: [index], fields: [:], includesClientConditions: false)
    }
}
