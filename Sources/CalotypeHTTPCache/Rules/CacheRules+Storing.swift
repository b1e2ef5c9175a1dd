package import CalotypeHTTP

/// The decision whether a response may be stored, and as what. RFC 9111 §3.
package enum StoringDecision: Hashable, Sendable {
    /// The head to store; once the body has ended, ``StoredResponse/ended(bodyLength:isComplete:)`` has the last word.
    case store(StoredResponse)
    case no(StoringRefusal)

    var refusal: StoringRefusal? { if case .no(let refusal) = self { refusal } else { nil } }
}

/// Why a response is not stored: a word for Cache-Status' `detail`. May grow.
package struct StoringRefusal: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The method's answers are not for later requests.
    package static let method = StoringRefusal(rawValue: "method")
    /// Interim, or an answer to this request's conditions or range alone.
    package static let status = StoringRefusal(rawValue: "status")
    /// The request had content, of which the key says nothing.
    package static let requestContent = StoringRefusal(rawValue: "request-content")
    /// The request said no-store.
    package static let requestNoStore = StoringRefusal(rawValue: "request-no-store")
    package static let noStore = StoringRefusal(rawValue: "no-store")
    /// must-understand, and we do not know the status.
    package static let notUnderstood = StoringRefusal(rawValue: "not-understood")
    /// For one user, and the cache is shared.
    package static let isPrivate = StoringRefusal(rawValue: "private")
    /// The request carried Authorization, and nothing allows a shared cache to keep the answer.
    package static let authorization = StoringRefusal(rawValue: "authorization")
    /// Set-Cookie, the cache is shared, and nothing explicit allows it to share the answer.
    package static let setCookie = StoringRefusal(rawValue: "set-cookie")
    /// `Vary: *`, or a Vary that is no list of names.
    package static let variesByAnything = StoringRefusal(rawValue: "vary")
    /// Nothing says that it may be stored, or it could never be used again: neither freshness nor a validator.
    package static let notReusable = StoringRefusal(rawValue: "not-reusable")
    /// A 206 without a Content-Range that makes sense.
    package static let range = StoringRefusal(rawValue: "range")
}

extension CacheRules {
    /// RFC 9111 §3: whether this response to this request may be stored.
    ///
    /// - Parameters:
    ///   - request: as it was sent to the origin, so that a 206 is known for what it is.
    ///   - fields: as they came. Those of the connection are taken out (§3.1), as are those that `private="…"` names in a
    ///     shared cache (§5.2.2.7).
    package func storing(
        _ request: HTTPRequest, status: Int, fields: HTTPFields, requestTime: Double, responseTime: Double
    ) -> StoringDecision {
        guard status >= 200, !StatusRules.dependsOnRequest(status) else { return .no(.status) }
        guard !RequestDirectives(request.fields.values(of: "Cache-Control")).noStore else {
            return .no(.requestNoStore)
        }
        guard let varying = varying(fields, for: request) else { return .no(.variesByAnything) }
        let part = part(of: request, status: status, fields: fields)
        if status == 206, part == nil { return .no(.range) }
        let stored = StoredResponse(
            url: key(for: request), method: request.method, status: status == 206 ? 200 : status,
            fields: storable(fields, status: status, responseTime: responseTime), requestTime: requestTime,
            responseTime: responseTime, varying: varying, bodyLength: part?.range.count ?? 0, part: part)
        if let refusal = refusal(of: stored, request, fields: fields) { return .no(refusal) }
        return .store(stored)
    }

    private func refusal(
        of stored: StoredResponse, _ request: HTTPRequest, fields: HTTPFields
    ) -> StoringRefusal? {
        let directives = directives(of: stored)
        if directives.forbidStoring(stored.status) {
            return directives.mustUnderstand ? .notUnderstood : .noStore
        }
        if isShared, directives.isPrivate == .whole { return .isPrivate }
        guard mayKeep(directives, from: request) else { return .authorization }
        guard mayShareCookie(stored, fields: fields, directives) else { return .setCookie }
        guard request.method != .get || !request.hasContent else { return .requestContent }
        guard answersLaterRequests(request, stored) else { return .method }
        let isKept = keepsUnreusable && stored.status == 200 || isReusable(stored, by: directives)
        return isKept ? nil : .notReusable
    }

    /// §4.1, §5.2.2.5, §5.2.2.7: whether a stored response may stay with the Vary and the directives that a 304, a HEAD or
    /// a 206 has brought it. Otherwise it answers the client that asked, and none after it.
    package func mayStay(_ stored: StoredResponse) -> Bool {
        guard nominated(by: stored.fields) != nil else { return false }
        let directives = directives(of: stored)
        if isShared, directives.isPrivate == .whole { return false }
        return !directives.forbidStoring(stored.status)
    }

    /// §3.5: whether a cache may keep, for later requests, what the answer to this one says.
    ///
    /// - Parameter directives: the answer's own.
    func mayKeep(_ directives: ResponseDirectives, from request: HTTPRequest) -> Bool {
        !isShared || !request.fields.contains("Authorization") || directives.allowsAuthorization
    }

    /// Returns whether the origin has said itself that the answer, which sets a cookie, is for others too. A guess is
    /// not enough.
    private func mayShareCookie(
        _ stored: StoredResponse, fields: HTTPFields, _ directives: ResponseDirectives
    ) -> Bool {
        personalFields(of: fields).isEmpty || directives.allowsCookies
            || !isTargeted(stored) && stored.head.expires != .absent
    }

    /// RFC 9110 §9.3.1 and §9.3.3: GET; POST where the response is explicitly fresh and says that it is what a GET of
    /// the same URI would bring.
    private func answersLaterRequests(_ request: HTTPRequest, _ stored: StoredResponse) -> Bool {
        if request.method == .get { return true }
        guard request.method == .post, stored.status == 200,
            let location = stored.fields.firstValue(of: "Content-Location")
        else { return false }
        let freshness = freshness(of: stored, now: stored.responseTime)
        return freshness.source.isExplicit && freshness.isFresh
            && key(of: location, relativeTo: request) == stored.url
    }

    /// §3, last condition, and our own: what has neither freshness nor a validator is never used, so it is not stored.
    private func isReusable(_ stored: StoredResponse, by directives: ResponseDirectives) -> Bool {
        let freshness = freshness(of: stored, now: stored.responseTime)
        let isAllowed =
            freshness.source.isExplicit || directives.isPublic || StatusRules.isHeuristicallyCacheable(stored.status)
            || (!isShared && directives.isPrivate != .absent) || freshness.needsValidation
        guard isAllowed else { return false }
        if stored.head.hasValidator { return true }
        guard !freshness.needsValidation else { return false }
        return freshness.isFresh || freshness.ttl + max(freshness.staleWhileRevalidate, freshness.staleIfError) > 0
    }

    /// §3.1 and §5.2.2.7; RFC 9110 §6.6.1: a recipient with a clock adds the Date that is missing.
    private func storable(_ fields: HTTPFields, status: Int, responseTime: Double) -> HTTPFields {
        var kept = withoutPrivate(fields).endToEnd
        if status == 206 { kept = withoutPersonalFields(kept).removing(["Content-Range", "Content-Length"]) }
        if !kept.contains("Date") { kept["Date"] = HTTPDate.format(responseTime) }
        return kept
    }

    func withoutPrivate(_ fields: HTTPFields) -> HTTPFields {
        guard isShared else { return fields }
        return fields.removing(directives(in: fields).isPrivate.fieldNames)
    }

    /// §3.3: the range of a 206 to a GET.
    private func part(of request: HTTPRequest, status: Int, fields: HTTPFields) -> StoredPart? {
        guard status == 206, request.method == .get, request.fields.contains("Range"),
            let content = fields.firstValue(of: "Content-Range").flatMap(ContentRange.init)
        else { return nil }
        if let length = fields.contentLength, length != content.range.count { return nil }
        return StoredPart(range: content.range, completeLength: content.completeLength)
    }
}
