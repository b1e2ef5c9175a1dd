package import CalotypeHTTP

extension CacheRules {
    /// RFC 9111 §4: what to do with a request, given what is stored for its key.
    ///
    /// - Parameter variants: everything stored under ``key(for:)``, in any order.
    package func decide(_ request: HTTPRequest, variants: [StoredResponse], now: Double) -> CacheDecision {
        guard request.method == .get || request.method == .head else { return .forward(.method) }
        let facts = RequestFacts(request.fields)
        let directives = RequestDirectives(facts.cacheControl)
        let decision = decide(request, facts, directives, variants, now: now)
        guard directives.onlyIfCached else { return decision }
        // §5.2.1.7: whatever cannot be answered from the store is 504.
        switch decision {
        case .serve: return decision
        case .serveAndRevalidate(let index, let freshness, _): return .serve(index, freshness)
        case .validate, .resume, .forward, .onlyIfCached: return .onlyIfCached
        }
    }

    private func decide(
        _ request: HTTPRequest, _ facts: RequestFacts, _ directives: RequestDirectives, _ variants: [StoredResponse],
        now: Double
    ) -> CacheDecision {
        // §4.3.2: the origin's to judge. §5.2.1.5: the client wants to leave no trace, so it leaves none of reading either.
        if facts.hasOriginConditions || directives.noStore { return .forward(.request) }
        guard !variants.isEmpty else { return .forward(.uriMiss) }
        let usable = select(variants, for: request)
        guard let best = usable.first else {
            let complete = variants.indices.filter { variants[$0].isComplete }
            return asking(validation(facts, candidates: complete, variants), request, because: .varyMiss)
        }
        guard let index = usable.first(where: { holds(variants[$0], what: request, facts) }) else {
            return completion(of: best, variants[best], request, facts, directives)
        }
        return decide(index, request, facts, directives, variants, now: now)
    }

    private func decide(
        _ index: Int, _ request: HTTPRequest, _ facts: RequestFacts, _ directives: RequestDirectives,
        _ variants: [StoredResponse], now: Double
    ) -> CacheDecision {
        let stored = variants[index]
        let freshness = freshness(of: stored, now: now)
        switch reuse(stored, freshness, directives) {
        case .asItIs: return .serve(index, freshness)
        case .whileRevalidating:
            let asked = validation(RequestFacts([:]), candidates: [index], variants, confirming: index)
            return .serveAndRevalidate(index, freshness, asked ?? Validation(confirming: index))
        case .validated(let reason):
            let validation = validation(facts, candidates: [index], variants, confirming: index)
            return asking(validation, request, because: reason)
        }
    }

    /// HEAD goes as it is: its 200 freshens what is stored (§4.3.5).
    private func asking(
        _ validation: Validation?, _ request: HTTPRequest, because reason: ForwardReason
    ) -> CacheDecision {
        guard let validation, request.method == .get else { return .forward(reason) }
        return .validate(validation, reason)
    }

    private enum Reuse {
        case asItIs, whileRevalidating
        case validated(ForwardReason)
    }

    /// §4.2, §4.2.4, §5.2.1: whether a stored response may answer without being validated.
    private func reuse(_ stored: StoredResponse, _ freshness: Freshness, _ request: RequestDirectives) -> Reuse {
        if request.noCache { return .validated(.request) }
        if freshness.needsValidation { return .validated(.stale) }
        if let limit = request.maxAge, freshness.age > limit || limit == 0 {
            // RFC 8246 §2: whether it has changed is what max-age=0 asks, and immutable has answered that.
            let isAnswered = limit == 0 && freshness.isFresh && directives(of: stored).immutable
            guard isAnswered else { return .validated(freshness.isFresh ? .request : .stale) }
        }
        if let margin = request.minFresh, freshness.ttl < margin {
            return .validated(freshness.isFresh ? .request : .stale)
        }
        if freshness.isFresh { return .asItIs }
        if let limit = request.maxStale, freshness.mayBeStale, freshness.staleness <= limit { return .asItIs }
        return freshness.isWithinStaleWhileRevalidate ? .whileRevalidating : .validated(.stale)
    }
}
