internal import CalotypeHTTP
internal import Foundation

// An exchange with the origin, and its effect on stored responses.

extension CacheExchange {
    /// - Parameter drains: If `true`, a new response is read to the end and stored even if no client reads it.
    func upstream(_ plan: ExchangePlan, drains: Bool) async throws(TransportError) -> ExchangeOutcome {
        if let outcome = try await exchange(plan, drains: drains) { return outcome }
        // `exchange` has released the first response, so that the second request can use its slot in the transport.
        if let outcome = try await exchange(plan.forwarding, drains: drains) { return outcome }
        throw TransportError(.malformedResponse, "the server treated an unconditional request as conditional")
    }

    /// - Returns: `nil` if the response is useless and the request has to be sent again without conditions.
    private func exchange(_ plan: ExchangePlan, drains: Bool) async throws(TransportError) -> ExchangeOutcome? {
        if case .resume(let index, let fields) = plan.decision {
            return try await resumed(plan, index, fields, drains: drains)
        }
        let exchanged = try await send(plan.validation?.fields ?? [:])
        let response = exchanged.response
        if response.status == 304 { return try await confirmed(plan, exchanged) }
        try asked.checkAsked(for: response.status)
        if asked.method == .head { await freshen(plan, exchanged) }
        return try await taken(exchanged, plan, drains: drains)
    }

    /// A request as sent, its response, and the times of both in seconds since 1970.
    struct Exchanged: Sendable {
        let request: HTTPRequest
        let response: HTTPResponse
        let sent: Double
        let came: Double
        /// The removal counts when the request arrived, plus the removals that this exchange caused.
        let removals: RemovalCounts
    }

    func send(_ fields: HTTPFields) async throws(TransportError) -> Exchanged {
        var outgoing = asked
        for field in fields { outgoing.fields[field.name] = field.value }
        let sent = now
        let response = try await InterimResponses.observed(by: interimObserver) { () throws(TransportError) in
            try await base.send(outgoing)
        }
        let came = now
        var removals = removals
        for stale in rules.invalidates(outgoing, status: response.status, fields: response.fields) {
            let stale = cache.partitioned(stale, request)
            await cache.removeStored(stale)
            if stale == key { removals.key &+= 1 }
            if let path = removals.path, SearchKey(stale)?.path == SearchKey(key)?.path { removals.path = path &+ 1 }
        }
        if !outgoing.method.isSafe, let groups = CacheGroups(response.fields, "Cache-Group-Invalidation") {
            cache.invalidate(groups, at: outgoing)
        }
        return Exchanged(request: outgoing, response: response, sent: sent, came: came, removals: removals)
    }

    /// Applies a 304 to the stored responses (RFC 9111 §4.3.3 and §4.3.4).
    private func confirmed(
        _ plan: ExchangePlan, _ exchanged: Exchanged
    ) async throws(TransportError) -> ExchangeOutcome? {
        guard let validation = plan.validation, !validation.fields.isEmpty else {
            try asked.checkAsked(for: exchanged.response.status)
            return .alone(passed(exchanged, plan), owner: id)
        }
        let outcome = rules.validated(
            plan.heads, for: asked, by: exchanged.response.fields, with: validation, requestTime: exchanged.sent,
            responseTime: exchanged.came)
        switch outcome {
        case .confirmed(let all):
            guard let best = await keep(all, of: plan) else { return nil }
            if all[0].keeping == .updated { await keepAsVariant(best, plan, exchanged) }
            let personal = rules.personalFields(of: exchanged.response.fields)
            return .stored(best, isConfirmed: true, owner: id, personal: personal)
        case .forClient:
            return .alone(passed(exchanged, plan), owner: id)
        case .unusable:
            return nil
        }
    }

    /// - Returns: The variant that answers the request, or `nil` if no variant was confirmed.
    private func keep(_ all: [ValidationOutcome.Confirmed], of plan: ExchangePlan) async -> StoredVariant? {
        var kept: [ValidationOutcome.Keeping: [StoredVariant]] = [:]
        for confirmed in all {
            var variant = plan.variants[confirmed.index]
            variant.head = confirmed.response
            kept[confirmed.keeping, default: []].append(variant)
        }
        guard let first = all.first, var best = kept[first.keeping]?.first else { return nil }
        if let gone = kept[.removed] {
            // Before the body is removed, read it, or open a large one, which the request that owns the exchange can read.
            if cache.streams(best.head.bodyLength) {
                best.lastStream = await cache.streamedBody(of: best, key, in: 0..<best.head.bodyLength)
            } else {
                best.body = await cache.body(of: best, key)
            }
            await cache.remove(gone.map(\.id), key)
            // Without a digest, no images derived from the removed body are stored either.
            if first.keeping == .removed { best.digest = nil }
        }
        if let updated = kept[.updated] { await update(updated, of: plan) }
        return best
    }

    /// Stores the response that a 304 has selected as a variant for the values of this request, too, unless it is one (RFC
    /// 9111 §4.1). Otherwise each request with these values would ask the origin again.
    private func keepAsVariant(_ confirmed: StoredVariant, _ plan: ExchangePlan, _ exchanged: Exchanged) async {
        let head = confirmed.head
        // A large body may be a file that the client reads at its own pace: it has no second copy.
        guard head.isComplete, head.bodyLength < HTTPCache.fileLength, rules.match(head, asked) == .none,
            let varying = rules.varying(head.fields, for: asked), request.storeDecision == nil,
            let body = await cache.body(of: confirmed, key), body.count == head.bodyLength
        else { return }
        var variant = StoredVariant(head: head.varied(by: varying), body: body)
        variant.digest = confirmed.digest
        await cache.keep(variant, key, beside: plan.variants, removals: exchanged.removals)
    }

    /// Replaces heads in the store. A head whose Vary has changed is now the variant of this request: it takes the place of
    /// the one that was, and the other responses that got the same Vary have no values of their own for its fields.
    private func update(_ variants: [StoredVariant], of plan: ExchangePlan) async {
        let former = Dictionary(plan.variants.map { ($0.id, $0.head.variantKey) }) { first, _ in first }
        let moved = variants.filter { former[$0.id] != $0.head.variantKey }
        let keys = Set(moved.map(\.head.variantKey))
        var kept = variants
        if !keys.isEmpty {
            var seen: Set<ByteString> = []
            kept = variants.filter { !keys.contains($0.head.variantKey) || seen.insert($0.head.variantKey).inserted }
        }
        let left = Set(kept.map(\.id))
        let gone =
            variants.filter { !left.contains($0.id) }
            + plan.variants.filter { !left.contains($0.id) && keys.contains($0.head.variantKey) }
        if !kept.isEmpty {
            await cache.update(kept, key)
            // Of a 304, the latest No-Vary-Search counts.
            if request.cacheKey == nil { await cache.learn(kept.map(\.head), storedAs: key) }
        }
        if !gone.isEmpty { await cache.remove(gone.map(\.id), key) }
    }

    /// Updates stored responses from the response to a HEAD (RFC 9111 §4.3.5).
    private func freshen(_ plan: ExchangePlan, _ exchanged: Exchanged) async {
        let response = exchanged.response
        let variants = plan.variants
        let changes = rules.freshened(
            variants.map(\.head), for: asked, status: response.status, fields: response.fields,
            requestTime: exchanged.sent, responseTime: exchanged.came)
        var updated: [StoredVariant] = []
        var contradicted: [StoredVariant.ID] = []
        for (index, head) in changes {
            var variant = variants[index]
            guard let head else {
                contradicted.append(variant.id)
                continue
            }
            variant.head = head
            updated.append(variant)
        }
        if !updated.isEmpty { await update(updated, of: plan) }
        if !contradicted.isEmpty { await cache.remove(contradicted, key) }
    }
}
