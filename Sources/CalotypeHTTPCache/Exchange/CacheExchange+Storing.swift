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
        guard case .store(let head) = decision, mayFit(response), !isDetour(response), !hidesWhole(head, plan),
            !yieldsToStale(response, plan)
        else {
            return .alone(passed(exchanged, plan, refused: decision.refusal), owner: id)
        }
        let place = await cache.place(
            of: head, for: requestKey, isNamed: request.cacheKey != nil, removals: exchanged.removals)
        let length = length(of: head, response)
        if length == 0 { return try await takenEmpty(exchanged, place, plan) }
        let writer = await writer(of: length, for: place.key, response)
        guard writer != nil || fitsInMemory(response) else { return .alone(passed(exchanged, plan), owner: id) }
        return streaming(exchanged, place, plan, writer: writer, drains: drains)
    }

    private func mayFit(_ response: HTTPResponse) -> Bool { fitsInMemory(response) || mayStream(response) }

    private func fitsInMemory(_ response: HTTPResponse) -> Bool {
        response.contentLength.map { $0 <= cache.options.bodyLimit } ?? true
    }

    /// Opens a writer of the store for a body that is long and not in memory already; `nil` if its length is unknown so far.
    private func writer(
        of length: Int?, for key: ByteString, _ response: HTTPResponse
    ) async -> (any HTTPBodyWriter)? {
        guard let length, cache.streams(length), mayStream(response) else { return nil }
        return await cache.writer(for: key, length: length)
    }

    private func mayStream(_ response: HTTPResponse) -> Bool {
        response.body.whole == nil && request.storeDecision != .never
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

    /// - Parameters:
    ///   - start: The stored part that this body continues, or `nil` for a whole body. The response contains the part and
    ///     the body.
    ///   - writer: The store's writer that gets the body, if it is open already.
    func streaming(
        _ exchanged: Exchanged, _ place: StorePlace, _ plan: ExchangePlan, start: BodyStart? = nil,
        writer: (any HTTPBodyWriter)?, drains: Bool
    ) -> ExchangeOutcome {
        let (head, key) = (place.head, place.key)
        let expected = start != nil ? head.bodyLength : length(of: head, exchanged.response)
        // Clients get the head of the whole body. The head to store is known only when the body ends.
        let whole = start.flatMap { _ in head.ended(bodyLength: head.bodyLength, isComplete: true) }
        let variant = StoredVariant(head: whole ?? head, body: nil)
        let transfer = Transfer(
            expected: expected, drains: drains, budget: cache.budget,
            storing: writer != nil || mayStream(exchanged.response) && expected == nil
                ? cache.streamedStoring(for: key) : nil
        ) { [cache] transfer in cache.transfers.remove(transfer, for: key) }
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
        let keeper = keeper(of: item, place, beside: plan.variants, stored: start?.count ?? 0)
        switch start {
        case .stored(let part, let count):
            let body = HTTPBody(ResumedBody(part, length: count, before: exchanged.response.body))
            transfer.start(body, writer: writer, stored: count, keeper: keeper)
        case .bytes(let part): transfer.start(exchanged.response.body, after: part, keeper: keeper)
        case nil: transfer.start(exchanged.response.body, writer: writer, keeper: keeper)
        }
        return .streaming(item, hold, wire: wire, owner: id)
    }

    /// Returns the closure that stores the body when it has ended.
    ///
    /// - Parameter count: The number of the body's bytes that are stored already.
    private func keeper(
        of item: TransferTable.Item, _ place: StorePlace, beside known: [StoredVariant], stored count: Int
    ) -> Transfer.Keeper {
        let (decision, id, identity) = (request.storeDecision, item.variant.id, item.identity)
        return { [cache, weak transfer = item.transfer] gathered in
            let extent = decision?.extent ?? .whole
            guard transfer?.isOutdated == false, extent > .nothing, gathered.isComplete || gathered.length > count,
                let stored = cache.variant(of: gathered, place.head, as: id, extent)
            else { return }
            let isKept = await cache.keep(
                stored, place.key, beside: known, removals: place.removals,
                in: stored.lacksBody ? nil : gathered.writer)
            guard isKept, let digest = stored.digest else { return }
            identity?.set(cache.identityText(digest, place.key))
        }
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
