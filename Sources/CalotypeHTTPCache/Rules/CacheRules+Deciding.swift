package import CalotypeHTTP

/// The decision about a request (RFC 9111 §4). Indices are positions in the array of variants.
package enum CacheDecision: Hashable, Sendable {
    /// Answer from the store with ``CacheRules/answer(_:from:validated:now:)``.
    case serve(Int, Freshness)
    /// Answer from the store. Revalidate with these conditions in the background, once for all clients (RFC 5861 §3).
    case serveAndRevalidate(Int, Freshness, Validation)
    /// Send the request with these conditions. Pass a 304 to
    /// ``CacheRules/validated(_:for:by:with:requestTime:responseTime:)``.
    case validate(Validation, ForwardReason)
    /// Request the rest of a stored part with these fields. Pass a 206 to
    /// ``CacheRules/combine(_:with:for:requestTime:responseTime:)``.
    case resume(Int, HTTPFields)
    /// Send the request unchanged.
    case forward(ForwardReason)
    /// Answer 504: the client accepts only stored responses (§5.2.1.7).
    case onlyIfCached
}

extension CacheRules {
    /// Decides about a request, given all responses stored under ``key(for:)``, in any order (RFC 9111 §4).
    package func decide(_ request: HTTPRequest, variants: [StoredResponse], now: Double) -> CacheDecision {
        guard request.method == .get || request.method == .head else { return .forward(.method) }
        let facts = RequestFacts(request.fields)
        let directives = RequestDirectives(facts.cacheControl)
        let decision = decide(request, facts, directives, variants, now: now)
        guard directives.onlyIfCached else { return decision }
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
        // §4.3.2: If-Match and If-Unmodified-Since are for the origin. §5.2.1.5: after no-store, the cache must record
        // nothing, not even a read. RFC 9110 §9.3.1: only the origin knows the meaning of a GET's content.
        if facts.hasOriginConditions || directives.noStore || request.hasContent { return .forward(.request) }
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

    /// Validates a GET if there are conditions to send. Otherwise forwards the request; the 200 to a HEAD then updates
    /// the stored responses (§4.3.5).
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

    /// Decides whether a stored response may be used without validation (§4.2, §4.2.4, §5.2.1).
    private func reuse(_ stored: StoredResponse, _ freshness: Freshness, _ request: RequestDirectives) -> Reuse {
        if request.noCache { return .validated(.request) }
        if freshness.needsValidation { return .validated(.stale) }
        if let limit = request.maxAge, freshness.age > limit || limit == 0 {
            // RFC 8246 §2: max-age=0 requests a check for changes, which immutable rules out.
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
