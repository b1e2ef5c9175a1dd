internal import CalotypeHTTP
internal import Foundation

// The response of each request that waited for an exchange, made from the exchange's outcome.

extension CacheExchange {
    /// Returns the response for this request, or `nil` if it may not share the outcome or the stored body is gone.
    func settle(_ outcome: ExchangeOutcome, _ plan: ExchangePlan) async -> HTTPResponse? {
        switch outcome {
        case .alone(let response, let owner):
            guard owner == id || cache.options.isGateway && response.body.whole != nil else { return nil }
            return await stale(plan, because: .status(response.status)) ?? outbound(response, nil)
        case .streaming(let item, let hold, let wire, let owner):
            // The hold keeps the transfer from being abandoned before this request has its own reader.
            defer { withExtendedLifetime(hold) {} }
            if owner == id { return outbound(wire, item.variant.head) }
            guard isForURL(item.variant.head), mayShare(item.variant.head), !isInvalid(item.variant.head) else {
                return nil
            }
            return joined(item, CacheStatus(forward: plan.reason, collapsed: true))
        case .stored(let variant, let isConfirmed, let owner, let personal):
            guard owner == id || request.cachePolicy.looksUp && isForURL(variant.head) else { return nil }
            guard owner == id || !isConfirmed || mayShare(variant.head) else { return nil }
            guard isConfirmed else { return await found(variant) }
            let ttl = rules.freshness(of: variant.head, now: now).wholeTTL
            let status = CacheStatus(
                forward: plan.reason, forwardStatus: 304, ttl: ttl, collapsed: owner != id)
            var ours = variant
            if owner != id { ours.lastStream = nil }
            var response = await stored(ours, .revalidated, status)
            if owner == id { response?.fields.append(contentsOf: personal) }
            return response
        }
    }

    /// Whether a group of the response was invalidated after it was requested, and perhaps before this request.
    private func isInvalid(_ head: StoredResponse) -> Bool {
        head.head.groups != nil && cache.purgeEffect(on: head, key) == .absent
    }

    /// Whether the response is one to this request's URL. Requests for several URLs may wait for one exchange, because earlier
    /// responses were the same for all of them (No-Vary-Search).
    private func isForURL(_ head: StoredResponse) -> Bool {
        guard cache.search != nil, request.cacheKey == nil else { return true }
        if head.url == requestKey.asked.urlOfKey { return true }
        return requestKey.variance != nil && head.url == key.urlOfKey && requestKey.covers(head)
    }

    /// Whether this request may have the response to another one, for which it waited. A gateway's responses are its own
    /// work, which no client's request determines.
    private func mayShare(_ head: StoredResponse) -> Bool {
        cache.options.isGateway || rules.mayShare(head, with: asked)
    }

    /// Returns the response that another request has stored, or `nil` if it needs validation or its body is gone.
    private func found(_ variant: StoredVariant) async -> HTTPResponse? {
        guard cache.purgeEffect(on: variant.head, key) == .none,
            case .serve(_, let freshness) = rules.decide(asked, variants: [variant.head], now: now)
        else { return nil }
        return await stored(
            variant, freshness.isFresh ? .fresh : .stale, CacheStatus(hit: true, ttl: freshness.wholeTTL))
    }

    /// Joins another request's download at its first byte. Returns `nil` if readers can no longer join it, or if this
    /// request needs another response than the whole download.
    func joined(_ item: TransferTable.Item, _ status: CacheStatus) -> HTTPResponse? {
        let now = now
        let head = item.variant.head
        guard case .whole(var fields) = rules.answer(asked, from: head, now: now), asked.method == .get,
            let body = item.transfer.body(rest: rest(of: head))
        else { return nil }
        fields["Content-Length"] = item.transfer.expected.map { "\($0)" }
        var response = HTTPResponse(url: request.url, status: head.status, fields: fields, body: body)
        let outcome = CacheOutcome(.network, rules.freshness(of: head, now: now), of: head.fields, now: now)
        response.say(status, outcome, by: cache)
        response.identity = item.identity
        return outbound(response, head)
    }

    /// Returns the response; in a gateway, adapted to the client's method and, if `head` is given, to the client's
    /// conditions.
    private func outbound(_ response: HTTPResponse, _ head: StoredResponse?) -> HTTPResponse {
        guard cache.options.isGateway else { return response }
        var response = response
        if let head, case .notModified(var fields) = rules.answer(request, from: head, now: now) {
            fields["Cache-Status"] = response.fields["Cache-Status"]
            (response.status, response.fields, response.body) = (304, fields, .empty)
        }
        if request.method == .head { response.body = .empty }
        return response
    }

    /// Returns a stored response if the rules allow one for this failure (RFC 9111 §4.2.4). Otherwise throws the error.
    func stale(_ plan: ExchangePlan, because error: TransportError) async throws(TransportError) -> HTTPResponse {
        guard let failure = error.originFailure, let response = await stale(plan, because: failure) else { throw error }
        return response
    }

    private func stale(_ plan: ExchangePlan, because failure: OriginFailure) async -> HTTPResponse? {
        guard request.cachePolicy.looksUp else { return nil }
        if case .status(let status) = failure, status < 500 { return nil }
        let now = now
        let heads = plan.heads
        guard let usable = rules.stale(heads, for: asked, because: failure, now: now) else { return nil }
        var status = CacheStatus(forward: plan.reason, ttl: rules.freshness(of: heads[usable], now: now).wholeTTL)
        switch failure {
        case .unreachable: status.detail = "unreachable"
        case .malformed: status.detail = "malformed"
        case .status(let code): status.forwardStatus = code
        }
        return await stored(plan.variants[usable], .stale, status)
    }
}

extension TransportError {
    /// The failure of the origin that the error reports, or `nil` if the origin is not at fault, as after a
    /// cancellation. A full queue on the way to the origin counts, because a stale response is better than a 503.
    fileprivate var originFailure: OriginFailure? {
        switch code {
        case .cannotFindHost, .cannotConnect, .connectionLost, .timedOut, .overloaded, .truncatedBody: .unreachable
        case .malformedResponse: .malformed
        default: nil
        }
    }
}
