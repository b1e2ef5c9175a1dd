import CalotypeHTTP

extension CacheRules {
    /// Returns `true` if the request may wait for the response to an equal request (RFC 9111 §4): a GET without a
    /// range, conditions or directives that require a separate exchange and, in a shared cache, without Authorization.
    func mayCoalesce(_ request: HTTPRequest) -> Bool {
        guard request.method == .get, !request.hasContent else { return false }
        let facts = RequestFacts(request.fields)
        guard facts.range == nil, !facts.hasOriginConditions, !facts.isConditional else { return false }
        if isShared, request.fields.contains("Authorization") { return false }
        let directives = RequestDirectives(facts.cacheControl)
        return !directives.noStore && !directives.noCache && !directives.onlyIfCached && directives.maxAge == nil
            && directives.minFresh == nil
    }

    /// Returns `true` if the response also answers another request, which waited for it. See ``isShareable(_:)``; in
    /// addition, the request must match in the fields named in Vary.
    func mayShare(_ answer: StoredResponse, with request: HTTPRequest) -> Bool {
        isShareable(answer) && match(answer, request) != .none
    }

    /// Returns `true` if requests with the same values of the fields named in Vary may share the response: it is
    /// complete, storable, fresh on arrival, and usable without validation.
    func isShareable(_ answer: StoredResponse) -> Bool {
        let freshness = freshness(of: answer, now: answer.responseTime)
        return answer.isComplete && freshness.isFresh && !freshness.needsValidation && mayStay(answer)
            && directives(of: answer).noCache == .absent
    }

    /// Returns the fields meant only for the client that sent the request: in a shared cache, Set-Cookie. By RFC 9111
    /// §3.2, the Set-Cookie of a 304, a 206 or a response to HEAD would replace the stored one, but each later hit
    /// would then give one client's session to others.
    func personalFields(of fields: HTTPFields) -> HTTPFields {
        guard isShared else { return [:] }
        return HTTPFields(fields.filter { $0.isPersonal })
    }

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
