internal import CalotypeHTTP
internal import Foundation

// New responses, which are passed on as they arrive and stored when they end.

extension CacheExchange {
    /// Decides whether to store the response (RFC 9111 §3), and passes it on.
    func taken(
        _ exchanged: Exchanged, _ plan: ExchangePlan, drains: Bool
    ) async throws(TransportError) -> ExchangeOutcome {
        let response = exchanged.response
        let decision = rules.storing(
            exchanged.request, status: response.status, fields: response.fields, requestTime: exchanged.sent,
            responseTime: exchanged.came)
        guard case .store(let head) = decision, fits(response), !isDetour(response), !hidesWhole(head, plan),
            !yieldsToStale(response, plan)
        else {
            return .alone(passed(exchanged, plan, refused: decision.refusal), owner: id)
        }
        let place = await cache.place(
            of: head, for: requestKey, isNamed: request.cacheKey != nil, removals: exchanged.removals)
        if length(of: head, response) == 0 { return try await takenEmpty(exchanged, place, plan) }
        return streaming(exchanged, place, plan, prefix: Data(), drains: drains)
    }

    private func fits(_ response: HTTPResponse) -> Bool {
        response.contentLength.map { $0 <= cache.options.bodyLimit } ?? true
    }

    /// Returns `true` for a redirect of a request with its own cache key: the request to the redirect's target has the
    /// same key, and would find the stored redirect again.
    private func isDetour(_ response: HTTPResponse) -> Bool {
        request.cacheKey != nil && (300..<400).contains(response.status) && response.fields["Location"] != nil
    }

    /// Returns `true` for a partial response that would replace a stored complete response of the same variant.
    private func hidesWhole(_ head: StoredResponse, _ plan: ExchangePlan) -> Bool {
        !head.isComplete && plan.variants.contains { $0.head.variantKey == head.variantKey && $0.head.isComplete }
    }

    /// Returns `true` for a failure in place of which the client gets a stale response (RFC 5861 §4): this one stays stored, also
    /// if the failure states a lifetime.
    private func yieldsToStale(_ response: HTTPResponse, _ plan: ExchangePlan) -> Bool {
        guard response.status >= 500, request.cachePolicy.looksUp else { return false }
        return rules.stale(plan.heads, for: asked, because: .status(response.status), now: now) != nil
    }

    private func length(of head: StoredResponse, _ response: HTTPResponse) -> Int? {
        if let part = head.part { return part.range.count }
        return response.status == 204 ? 0 : response.contentLength
    }

    /// Stores an empty response before returning it, because there is no last byte to hold back until it is stored.
    private func takenEmpty(
        _ exchanged: Exchanged, _ place: StorePlace, _ plan: ExchangePlan
    ) async throws(TransportError) -> ExchangeOutcome {
        guard try await exchanged.response.body.collect(limit: 0).isEmpty,
            let head = place.head.ended(bodyLength: 0, isComplete: true)
        else { return .alone(passed(exchanged, plan), owner: id) }
        let variant = StoredVariant(head: head, body: Data())
        if request.storeDecision?.isGranted ?? true {
            await cache.keep(variant, place.key, beside: plan.variants, removals: place.removals)
        }
        return .alone(passed(exchanged, plan, storedAs: variant), owner: id)
    }

    /// - Parameter prefix: The stored part that this body continues, or empty for a whole body. The response contains
    ///   the prefix and the body.
    func streaming(
        _ exchanged: Exchanged, _ place: StorePlace, _ plan: ExchangePlan, prefix: Data, drains: Bool
    ) -> ExchangeOutcome {
        let (head, key) = (place.head, place.key)
        let isResumed = !prefix.isEmpty
        let expected = isResumed ? head.bodyLength : length(of: head, exchanged.response)
        // Clients get the head of the whole body. The head to store is known only when the body ends.
        let whole = isResumed ? head.ended(bodyLength: head.bodyLength, isComplete: true) : nil
        let variant = StoredVariant(head: whole ?? head, body: nil)
        let transfer = Transfer(expected: expected, drains: drains, budget: cache.budget) {
            [cache] transfer in cache.transfers.remove(transfer, for: key)
        }
        let identity = cache.options.bodyDigest.map { _ in BodyIdentity() }
        let item = TransferTable.Item(variant: variant, transfer: transfer, identity: identity)
        let hold = TransferHold(transfer)
        var wire = passed(exchanged, plan, storedAs: variant)
        wire.identity = identity
        if let whole { wire = wire.asWhole(whole, with: rules.personalFields(of: exchanged.response.fields)) }
        wire.body = transfer.body(rest: rest(of: variant.head)) ?? .empty
        if variant.head.isComplete, asked.method == .get {
            cache.transfers.add(item, for: key)
            if !cache.isCurrent(place.removals, key) { cache.transfers.remove(transfer, for: key) }
        }
        let decision = request.storeDecision
        transfer.start(exchanged.response.body, after: prefix) {
            [cache, known = plan.variants, weak transfer] gathered in
            let extent = decision?.extent ?? .whole
            guard transfer?.isOutdated == false, extent > .nothing,
                let stored = cache.variant(of: gathered, head, as: variant.id, extent)
            else { return }
            guard await cache.keep(stored, key, beside: known, removals: place.removals), let digest = stored.digest
            else {
                return
            }
            identity?.set(cache.identityText(digest, key))
        }
        return .streaming(item, hold, wire: wire, owner: id)
    }

    /// Returns the origin's response with `cacheOutcome` and Cache-Status, which names the reason for not storing it.
    func passed(
        _ exchanged: Exchanged, _ plan: ExchangePlan, storedAs variant: StoredVariant? = nil,
        refused refusal: StoringRefusal? = nil
    ) -> HTTPResponse {
        var response = exchanged.response
        let freshness = variant.map { rules.freshness(of: $0.head, now: exchanged.came) }
        var status = CacheStatus(forward: plan.reason, ttl: freshness?.wholeTTL, stored: variant != nil)
        status.detail = refusal?.rawValue
        if plan.validation != nil || plan.reason == .partial { status.forwardStatus = response.status }
        let outcome =
            if let variant, let freshness {
                CacheOutcome(.network, freshness, of: variant.head.fields, now: exchanged.came)
            } else {
                rules.outcome(
                    of: response, to: exchanged.request, requestTime: exchanged.sent, responseTime: exchanged.came)
            }
        response.say(status, outcome, by: cache)
        return response
    }
}

extension HTTPResponse {
    /// Returns this 206 for the rest of a body with the status and fields of the whole response.
    fileprivate func asWhole(_ head: StoredResponse, with personal: HTTPFields) -> HTTPResponse {
        var whole = self
        let status = fields.values(of: "Cache-Status")
        whole.status = head.status
        whole.fields = head.fields
        whole.fields.append(contentsOf: personal)
        whole.fields["Cache-Status"] = status.joined(separator: ", ")
        whole.fields["Content-Length"] = "\(head.bodyLength)"
        return whole
    }
}

extension HTTPCache {
    /// Returns the variant to store for the bytes that a transfer has gathered, or `nil` to store nothing.
    func variant(
        of gathered: Transfer.Gathered, _ head: StoredResponse, as id: StoredVariant.ID, _ extent: StoreDecision.Extent
    ) -> StoredVariant? {
        let chunks: [Data]
        let isComplete: Bool
        switch gathered {
        case .tooLarge: return nil
        case .whole(let all): (chunks, isComplete) = (all, true)
        case .cutOff(let some): (chunks, isComplete) = (some, false)
        }
        let length = chunks.reduce(0) { $0 + $1.count }
        guard isComplete || (length >= options.resumableLength && extent == .whole),
            let head = head.ended(bodyLength: length, isComplete: isComplete)
        else { return nil }
        let body = chunks.joined(of: length)
        var variant = StoredVariant(id: id, head: head, body: extent == .whole ? body : nil)
        if isComplete { variant.digest = options.bodyDigest?(body) }
        variant.lacksBody = extent != .whole
        return variant.lacksBody && variant.digest == nil ? nil : variant
    }
}

extension [Data] {
    fileprivate func joined(of length: Int) -> Data {
        // A slice would keep its whole parent buffer alive.
        if count == 1 { return Data(self[0]) }
        var whole = Data(capacity: length)
        for chunk in self { whole.append(chunk) }
        return whole
    }
}
