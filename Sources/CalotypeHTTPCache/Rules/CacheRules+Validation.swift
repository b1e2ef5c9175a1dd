package import CalotypeHTTP

/// The fields that turn a request into a validation (RFC 9111 §4.3.1).
package struct Validation: Hashable, Sendable {
    /// The stored response that is to be confirmed; nil where none matches the request, but one of them may be what the
    /// origin would send.
    package let index: Int?
    /// Positions of the responses whose validators are in the fields.
    package let candidates: [Int]
    /// To set in the request, in place of its own fields of these names.
    package let fields: HTTPFields
    /// A Boolean value indicating whether the fields carry conditions of the client's too, so that a 304 may be for it
    /// alone.
    package let includesClientConditions: Bool
}

extension CacheRules {
    /// RFC 9111 §4.3.1: the preconditions that ask the origin whether a stored response is still good.
    ///
    /// Tags of the candidates stand before those of the client, whose own question is asked in the same breath (§4.3.2).
    /// Last-Modified is sent for the one response that is to be confirmed; with several, a 304 would not tell which.
    ///
    /// - Returns: nil where no candidate has a validator.
    func validation(
        _ facts: RequestFacts, candidates: [Int], _ variants: [StoredResponse],
        confirming index: Int? = nil
    ) -> Validation? {
        let tagged = candidates.filter { variants[$0].head.entityTag != nil }
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

    private func joined(_ tags: [ByteString]) -> ByteString {
        var seen: Set<ByteString> = []
        return tags.filter { seen.insert($0).inserted }.joined(separator: ", ")
    }
}

extension Validation {
    /// Nothing to ask by: the request goes as it is, and its answer replaces what is stored.
    init(confirming index: Int) {
        self.init(index: index, candidates: [index], fields: [:], includesClientConditions: false)
    }
}

extension Validation {
    /// The request that validates: with these conditions in place of its own, its range left as it is.
    package func applied(to request: HTTPRequest) -> HTTPRequest {
        var request = request
        for field in fields { request.fields[field.name] = field.value }
        return request
    }

    /// The request that validates behind the client's back: for the whole, and with no conditions but these.
    package func appliedInBackground(to request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.method = .get
        for name: CaselessString in ["Range", "If-Range", "If-None-Match", "If-Modified-Since"] {
            request.fields[name] = nil
        }
        return applied(to: request)
    }
}
