internal import CalotypeBase
internal import CalotypeHTTP
internal import Foundation

/// The handling of one request: lookup, decision, response. A class, because shared exchanges and bodies capture it,
/// and a reference is cheaper than copies of `request` and `asked`.
final class CacheExchange: Sendable {
    let cache: HTTPCache
    let request: HTTPRequest
    /// The request for lookups and the origin: the same as `request`, or in a gateway its ``HTTPRequest/plain`` form.
    let asked: HTTPRequest
    let base: any Transport
    let requestKey: RequestKey
    /// How often the key's stored responses had been removed when the request arrived. If they are removed again
    /// during the exchange, its response is not stored.
    let removals: RemovalCounts
    /// The purges of the key when the request arrived. Requests after a further one do not join this exchange.
    let purges: PurgeMoments
    /// The caller's observer of interim (1xx) responses. Captured here, because a shared exchange runs in a separate
    /// task that inherits no task-local values.
    let interimObserver = InterimResponses.observer
    let id: ExchangeID

    init(_ cache: HTTPCache, _ request: HTTPRequest, over base: any Transport) {
        self.cache = cache
        id = cache.nextExchangeID()
        self.request = cache.inbound(request)
        asked = cache.options.isGateway ? self.request.plain : request
        self.base = base
        requestKey = cache.requestKey(for: request)
        removals = cache.removalCounts(for: requestKey.key)
        purges = cache.purgeMoments(of: requestKey.key)
    }

    /// The key under which the request's responses are looked up.
    var key: ByteString { requestKey.key }
    var rules: CacheRules { cache.rules }
    var now: Double { cache.wallClock.now }

    func response() async throws(TransportError) -> HTTPResponse {
        if let response = cache.immediateAnswer(to: request, requestKey) { return response }
        return try await answer(await look())
    }

    private func look() async -> ExchangePlan {
        let seen = cache.changeCount
        let isStored = request.method == .get || request.method == .head
        let variants = (isStored ? await cache.variants(of: key) : []).filter { requestKey.covers($0.head) }
        if request.cacheKey == nil { await cache.learn(variants.map(\.head), storedAs: key) }
        return ExchangePlan(variants, decision(on: variants), seen: seen)
    }

    private func decision(on variants: [StoredVariant]) -> CacheDecision {
        let heads = variants.map(\.head)
        guard request.cachePolicy.looksUp else { return .forward(.request) }
        // `acceptsAnyAge` does not extend to failures: a stored failure answers only while it is fresh.
        if request.cachePolicy.acceptsAnyAge, !request.hasContent,
            let index = rules.select(heads, for: asked).first(where: {
                heads[$0].isComplete && heads[$0].status < 400
            })
        {
            return .serve(index, rules.freshness(of: heads[index], now: now))
        }
        return rules.decide(asked, variants: heads, now: now)
    }

    private func answer(_ plan: ExchangePlan) async throws(TransportError) -> HTTPResponse {
        switch plan.decision {
        case .serve(let index, let freshness):
            let status = CacheStatus(hit: true, ttl: freshness.wholeTTL)
            let source = freshness.isFresh ? CacheOutcome.Source.fresh : .stale
            if let response = await stored(plan.variants[index], source, status) { return response }
            return try await answer(await rest(of: plan, without: index))
        case .serveAndRevalidate(let index, let freshness, _):
            let status = CacheStatus(hit: true, ttl: freshness.wholeTTL, detail: "stale-while-revalidate")
            guard let response = await stored(plan.variants[index], .stale, status) else {
                return try await answer(await rest(of: plan, without: index))
            }
            if request.cachePolicy.mayLoad { revalidateInBackground(plan) }
            return response
        case .onlyIfCached:
            return gatewayTimeout()
        case .validate, .resume, .forward:
            guard request.cachePolicy.mayLoad else {
                throw TransportError(.notInCache, "not in the cache, and the request does not allow the network")
            }
            return try await load(plan)
        }
    }

    /// Removes a variant whose body is gone, and plans again without it.
    private func rest(of plan: ExchangePlan, without index: Int) async -> ExchangePlan {
        await cache.remove([plan.variants[index].id], key)
        var rest = plan.variants
        rest.remove(at: index)
        return ExchangePlan(rest, decision(on: rest), seen: cache.changeCount)
    }

    /// Returns a 504 (RFC 9111 §5.2.1.7).
    private func gatewayTimeout() -> HTTPResponse {
        var response = HTTPResponse(url: request.url, status: 504, fields: ["Content-Length": "0"])
        response.say(CacheStatus(detail: "only-if-cached"), by: cache)
        return response
    }

    // MARK: Asking the origin

    private func load(_ plan: ExchangePlan) async throws(TransportError) -> HTTPResponse {
        guard request.cachePolicy.shares, rules.mayCoalesce(asked) else {
            return try await loadAlone(plan)
        }
        if let response = joinTransfer() { return response }
        let flight = self.flight(cache.transfers.items(for: key).last?.variant.head ?? plan.variants.last?.head)
        guard cache.flights.waiterCount(for: flight) <= cache.options.waiterLimit else {
            return try await loadAlone(plan)
        }
        let (response, head) = try await collapsed(plan, flight)
        if let response { return response }
        // The response does not suit this request, but the exchange may have stored one that does.
        let latest = cache.changeCount == plan.seen ? plan : await look()
        switch latest.decision {
        case .serve(let index, let freshness):
            let status = CacheStatus(hit: true, ttl: freshness.wholeTTL)
            if let response = await stored(latest.variants[index], freshness.isFresh ? .fresh : .stale, status) {
                return response
            }
            return try await loadAlone(ExchangePlan([], .forward(.miss), seen: latest.seen))
        case .serveAndRevalidate, .onlyIfCached:
            return try await loadAlone(ExchangePlan(latest.variants, .forward(.stale), seen: latest.seen))
        case .validate, .resume, .forward:
            // Only now is Vary known. Requests with the same values of the fields that it names can share an exchange.
            let ours = self.flight(head)
            if ours != flight, let response = try await collapsed(latest, ours).response { return response }
            return try await loadAlone(latest)
        }
    }

    /// Returns the key of the shared exchange: that of the variant if `known` is a response with Vary, else the URL's.
    private func flight(_ known: StoredResponse?) -> ExchangeFlight {
        guard let known, !known.varying.isEmpty, rules.isShareable(known),
            let varying = rules.varying(known.fields, for: asked)
        else {
            return ExchangeFlight(
                key: key, removals: removals.key, purges: purges,
                allowsConstrainedNetwork: request.allowsConstrainedNetwork)
        }
        return ExchangeFlight(
            key: "\(key)\n\(varying.key)", removals: removals.key, purges: purges,
            allowsConstrainedNetwork: request.allowsConstrainedNetwork)
    }

    /// Starts the exchange for this flight, or joins it if another request has started it. A separate function, so that
    /// the outcome and its slot in the transport are released before the next exchange.
    ///
    /// - Returns: The response, or `nil` if the outcome does not suit this request; and the head of the exchange's
    ///   response, or `nil` if other requests may not share it.
    private func collapsed(
        _ plan: ExchangePlan, _ flight: ExchangeFlight
    ) async throws(TransportError) -> (response: HTTPResponse?, head: StoredResponse?) {
        let outcome: ExchangeOutcome
        do throws(TransportError) {
            outcome = try await cache.flights.value(for: flight) { [self] _ in await ask(plan, drains: false) }
        } catch {
            return (try await stale(plan, because: error), nil)
        }
        return (await settle(outcome, plan), outcome.head)
    }

    private func loadAlone(_ plan: ExchangePlan) async throws(TransportError) -> HTTPResponse {
        do throws(TransportError) {
            let outcome = try await upstream(plan, drains: cache.options.drains)
            if let response = await settle(outcome, plan) { return response }
            // The origin confirmed the stored response, but the body has been removed meanwhile.
            let anew = try await upstream(plan.forwarding, drains: false)
            guard let response = await settle(anew, plan.forwarding) else {
                throw TransportError(.other, "the stored response was removed before it was read")
            }
            return response
        } catch {
            return try await stale(plan, because: error)
        }
    }

    /// Runs the exchange for all waiters. Looks up again first if the store has changed since the plan was made.
    private func ask(_ plan: ExchangePlan, drains: Bool) async -> Result<ExchangeOutcome, TransportError> {
        var plan = plan
        if cache.changeCount != plan.seen {
            plan = await look()
            if case .serve(let index, _) = plan.decision {
                return .success(.stored(plan.variants[index], isConfirmed: false))
            }
        }
        // A shared exchange ends when the head arrives; its body may still be in flight and not stored.
        if let item = transferUnderWay(), let wire = joined(item, CacheStatus(forward: plan.reason, collapsed: true)) {
            return .success(.streaming(item, TransferHold(item.transfer), wire: wire, owner: id))
        }
        let drainsNow = drains || cache.options.drains
        return await Result(awaiting: { [plan] () async throws(TransportError) in
            try await upstream(plan, drains: drainsNow)
        })
    }

    private func joinTransfer() -> HTTPResponse? {
        transferUnderWay().flatMap { joined($0, CacheStatus(forward: .uriMiss, collapsed: true)) }
    }

    /// Returns a download in progress whose response could answer this request if it were stored already.
    private func transferUnderWay() -> TransferTable.Item? {
        cache.transfers.items(for: key).first { item in
            guard requestKey.covers(item.variant.head),
                case .serve = rules.decide(asked, variants: [item.variant.head], now: now)
            else { return false }
            return cache.purgeEffect(on: item.variant.head, key) == .none
        }
    }

    // MARK: Background revalidation

    /// Revalidates in the background, once for all clients that received the stale response (RFC 5861 §3). Clients that
    /// require a fresh response join this exchange.
    private func revalidateInBackground(_ plan: ExchangePlan) {
        var plain = request.plain
        plain.cachePolicy = .useProtocol
        let exchange = CacheExchange(cache, plain, over: base)
        // The class of the URL may have changed meanwhile: the next request revalidates then.
        guard exchange.key == key else { return }
        let group = request.subject?.host ?? ByteString(request.url.host ?? "").lowercasedASCII
        cache.revalidations.start(key, group: group) { [cache] in
            let decision = exchange.decision(on: plan.variants)
            let plan = ExchangePlan(plan.variants, decision, seen: plan.seen)
            let flight = exchange.flight(plan.variants.last?.head)
            let reader = cache.options.backgroundReader
            let outcome = try? await cache.flights.value(for: flight) { _ in
                await exchange.ask(plan, drains: reader == nil)
            }
            guard let reader, case .streaming(let item, let hold, _, _) = outcome else { return }
            defer { withExtendedLifetime(hold) {} }
            if let body = item.transfer.body() { await reader(body, item.transfer.expected) }
        }
    }
}
