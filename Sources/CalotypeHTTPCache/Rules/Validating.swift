internal import CalotypeHTTP

extension CacheRules {
    /// RFC 9111 §4.3.1: the preconditions that ask the origin whether a stored response is still good.
    ///
    /// Tags of the candidates stand before those of the client, whose own question is asked in the same breath (§4.3.2).
    /// Last-Modified is sent for the one response that is to be confirmed; with several, a 304 would not tell which.
    ///
    /// - Returns: nil where no candidate has a validator, or where the request is HEAD, which is passed on and freshens
    ///   what is stored by its 200 (§4.3.5).
    func validation(
        _ request: HTTPRequest, _ facts: RequestFacts, candidates: [Int], _ variants: [StoredResponse],
        confirming index: Int? = nil
    ) -> Validation? {
        guard request.method == .get else { return nil }
        let tagged = candidates.filter { variants[$0].head.entityTag != nil }
        var fields = HTTPFields()
        if !tagged.isEmpty {
            fields["If-None-Match"] = tags(tagged.compactMap { variants[$0].head.entityTag }, facts.ifNoneMatch)
        }
        if let index, let modified = variants[index].head.lastModifiedText, variants[index].head.lastModified != nil {
            fields["If-Modified-Since"] = modified
        }
        guard !fields.isEmpty else { return nil }
        return Validation(
            index: index, candidates: index.map { [$0] } ?? tagged, fields: fields,
            includesClientConditions: facts.isConditional)
    }

    private func tags(_ own: [EntityTag], _ clients: String?) -> String? {
        var texts: [String] = []
        let others = clients.map(FieldList.members) ?? []
        if others == ["*"] { return own.first.map(\.text) }
        for text in own.map(\.text) + others where !texts.contains(text) { texts.append(text) }
        return texts.joined(separator: ", ")
    }
}

extension Validation {
    /// Nothing to ask by: the request goes as it is, and its answer replaces what is stored.
    init(confirming index: Int) {
        self.init(index: index, candidates: [index], fields: [:], includesClientConditions: false)
    }
}
