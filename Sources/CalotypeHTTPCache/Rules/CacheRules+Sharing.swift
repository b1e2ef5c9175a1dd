package import CalotypeHTTP

extension CacheRules {
    /// RFC 9111 §4: whether the request may wait for the answer to another one that is equal.
    ///
    /// A GET without range, conditions, or directives that want it to reach the origin by itself; in a shared cache without
    /// Authorization.
    package func mayCoalesce(_ request: HTTPRequest) -> Bool {
        guard request.method == .get, !request.hasContent else { return false }
        let facts = RequestFacts(request.fields)
        guard facts.range == nil, !facts.hasOriginConditions, !facts.isConditional else { return false }
        if isShared, request.fields.contains("Authorization") { return false }
        let directives = RequestDirectives(facts.cacheControl)
        return !directives.noStore && !directives.noCache && !directives.onlyIfCached && directives.maxAge == nil
            && directives.minFresh == nil
    }

    /// Returns whether an answer to one request may be given to another that waited for it: stored, whole, fresh when
    /// it came, to be used without asking, and matching what Vary nominates.
    package func mayShare(_ answer: StoredResponse, with request: HTTPRequest) -> Bool {
        isShareable(answer) && match(answer, request) != .none
    }

    /// The same, whatever the request says in the fields that Vary nominates.
    func isShareable(_ answer: StoredResponse) -> Bool {
        let freshness = freshness(of: answer, now: answer.responseTime)
        return answer.isComplete && freshness.isFresh && !freshness.needsValidation && mayStay(answer)
            && directives(of: answer).noCache == .absent
    }
}

extension CacheRules {
    /// The fields of an answer that belong to the client that asked and to no other: in a shared cache, Set-Cookie.
    ///
    /// A departure from RFC 9111 §3.2, by which the Set-Cookie of a 304, of an answer to HEAD or of a 206 would take the
    /// stored one's place, and go out with every hit: one client's session would be given to all the others.
    package func personalFields(of fields: HTTPFields) -> HTTPFields {
        guard isShared else { return [:] }
        return HTTPFields(fields.filter { $0.isPersonal })
    }

    /// The fields without those of ``personalFields(of:)``.
    func withoutPersonalFields(_ fields: HTTPFields) -> HTTPFields {
        guard isShared, fields.contains(where: \.isPersonal) else { return fields }
        return HTTPFields(fields.filter { !$0.isPersonal })
    }
}

extension HTTPFields.Field {
    fileprivate var isPersonal: Bool {
        name == "Set-Cookie" || name == "Set-Cookie2"
    }
}
