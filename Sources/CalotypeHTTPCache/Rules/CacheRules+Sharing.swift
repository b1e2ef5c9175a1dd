package import CalotypeHTTP

extension CacheRules {
    /// RFC 9111 §4: whether the request may wait for the answer to another one that is equal.
    ///
    /// A GET without range, conditions, or directives that want it to reach the origin by itself; in a shared cache without
    /// Authorization.
    package func mayCoalesce(_ request: HTTPRequest) -> Bool {
        guard request.method == .get, request.body == nil else { return false }
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
