package import CalotypeHTTP

/// The decision whether to store a response, and with which head (RFC 9111 §3).
package enum StoringDecision: Equatable, Sendable {
    /// The head to store. At the end of the body, ``StoredResponse/ended(bodyLength:isComplete:)`` may still reject it.
    case store(StoredResponse)
    case no(StoringRefusal)

    var refusal: StoringRefusal? { if case .no(let refusal) = self { refusal } else { nil } }
}

/// The reason for not storing a response. Cache-Status contains it as `detail`.
package enum StoringRefusal: String, Sendable {
    /// The request's method does not allow its response to answer later requests.
    case method
    /// An interim response, or one that depends on this request's conditions or range.
    case status
    /// The request had content, which is not part of the key, so that requests with other content would match.
    case requestContent = "request-content"
    /// The request contained no-store.
    case requestNoStore = "request-no-store"
    case noStore = "no-store"
    /// The response contained must-understand, and its status is unknown.
    case notUnderstood = "not-understood"
    /// The response is for a single user, and the cache is shared.
    case isPrivate = "private"
    /// The request contained Authorization, and no directive allows a shared cache to store the response.
    case authorization
    /// The response sets a cookie, and no explicit directive allows a shared cache to share it.
    case setCookie = "set-cookie"
    /// `Vary: *`, or a Vary that is not a list of field names.
    case variesByAnything = "vary"
    /// No rule allows storing the response, or it has neither freshness nor a validator and could never be used.
    case notReusable = "not-reusable"
    /// A 206 to a request other than a GET with a Range, or without a valid Content-Range.
    case range
}

extension CacheRules {
    /// Decides whether a response to a request may be stored (RFC 9111 §3).
    ///
    /// - Parameters:
    ///   - request: The request as sent to the origin, so that its range explains a 206.
    ///   - fields: The fields as received. The stored head lacks fields that concern the connection (§3.1) and, in a
    ///     shared cache, fields named in `private="…"` (§5.2.2.7).
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

    /// Returns `true` if a response may remain stored with the Vary and directives that a 304, a HEAD or a 206 brought
    /// (§4.1, §5.2.2.5, §5.2.2.7). Otherwise it answers only the request in progress.
    func mayStay(_ stored: StoredResponse) -> Bool {
        guard nominated(by: stored.fields) != nil else { return false }
        let directives = directives(of: stored)
        if isShared, directives.isPrivate == .whole { return false }
        return !directives.forbidStoring(stored.status)
    }

    /// Returns `true` if a response with these directives to this request may update stored ones (§3.5).
    func mayKeep(_ directives: ResponseDirectives, from request: HTTPRequest) -> Bool {
        !isShared || !request.fields.contains("Authorization") || directives.allowsAuthorization
    }

    /// Returns `true` if the response sets no cookie, or if the origin explicitly allowed sharing it.
    private func mayShareCookie(
        _ stored: StoredResponse, fields: HTTPFields, _ directives: ResponseDirectives
    ) -> Bool {
        personalFields(of: fields).isEmpty || directives.allowsCookies
            || !isTargeted(stored) && stored.head.expires != .absent
    }

    /// Returns `true` for a response to GET, and for an explicitly fresh response to POST whose Content-Location is the
    /// request's URI (RFC 9110 §9.3.1 and §9.3.3).
    private func answersLaterRequests(_ request: HTTPRequest, _ stored: StoredResponse) -> Bool {
        if request.method == .get { return true }
        guard request.method == .post, stored.status == 200,
            let location = stored.fields.firstValue(of: "Content-Location")
        else { return false }
        let freshness = freshness(of: stored, now: stored.responseTime)
        return freshness.source.isExplicit && freshness.isFresh
            && key(of: location, relativeTo: request) == stored.url
    }

    /// Returns `true` if the last condition of §3 allows storing the response, and the response can be used later: it
    /// has a validator, is fresh, or may be served stale.
    func isReusable(_ stored: StoredResponse, by directives: ResponseDirectives) -> Bool {
        let freshness = freshness(of: stored, now: stored.responseTime)
        guard ground(of: stored, by: directives, freshness) != nil else { return false }
        if stored.head.hasValidator { return true }
        guard !freshness.needsValidation else { return false }
        return freshness.isFresh || freshness.ttl + max(freshness.staleWhileRevalidate, freshness.staleIfError) > 0
    }

    /// The part of the last condition of §3 that a response meets.
    enum StoringGround { case lifetime, isPublic, status, isPrivate }

    /// Returns `nil` if the last condition of §3 forbids storing the response.
    func ground(
        of stored: StoredResponse, by directives: ResponseDirectives, _ freshness: Freshness
    ) -> StoringGround? {
        if freshness.source.isExplicit { return .lifetime }
        if directives.isPublic { return .isPublic }
        if StatusRules.isHeuristicallyCacheable(stored.status) { return .status }
        return !isShared && directives.isPrivate != .absent ? .isPrivate : nil
    }

    /// Returns the fields to store (§3.1 and §5.2.2.7). Adds a missing Date (RFC 9110 §6.6.1).
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

    /// Returns the range of a 206 to a GET with a Range (§3.3), or `nil` for other responses and for a 206 whose
    /// Content-Range is missing, invalid or contradicts Content-Length.
    private func part(of request: HTTPRequest, status: Int, fields: HTTPFields) -> StoredPart? {
        guard status == 206, request.method == .get, request.fields.contains("Range"),
            let content = fields.firstValue(of: "Content-Range").flatMap(ContentRange.init)
        else { return nil }
        if let length = fields.contentLength, length != content.range.count { return nil }
        return StoredPart(range: content.range, completeLength: content.completeLength)
    }
}
