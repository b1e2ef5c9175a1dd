package import CalotypeHTTP

/// The decision about a request. RFC 9111 §4. Indices are positions in the variants that were given.
package enum CacheDecision: Hashable, Sendable {
    /// Answer from the store: ``CacheRules/answer(_:from:validated:now:)``.
    case serve(Int, Freshness)
    /// Answer from the store, and send the request with these fields behind the client's back, once for all who ask
    /// (RFC 5861 §3).
    case serveAndRevalidate(Int, Freshness, Validation)
    /// Send the request with these fields; a 304 is for ``CacheRules/validated(_:for:by:with:requestTime:responseTime:)``.
    case validate(Validation, ForwardReason)
    /// Ask for what is missing of a stored part; a 206 is for ``CacheRules/combine(_:with:for:requestTime:responseTime:)``.
    case resume(Int, HTTPFields)
    /// Send the request as it is.
    case forward(ForwardReason)
    /// 504: the client wants nothing but what is stored (§5.2.1.7).
    case onlyIfCached
}

/// Why a request goes to the origin: the `fwd` parameter of RFC 9211 §2.2. May grow.
package struct ForwardReason: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The cache was told not to handle the request.
    package static let bypass = ForwardReason(rawValue: "bypass")
    package static let method = ForwardReason(rawValue: "method")
    /// Nothing is stored for the URL.
    package static let uriMiss = ForwardReason(rawValue: "uri-miss")
    /// No stored variant matches.
    package static let varyMiss = ForwardReason(rawValue: "vary-miss")
    package static let miss = ForwardReason(rawValue: "miss")
    /// The request's own directives or conditions.
    package static let request = ForwardReason(rawValue: "request")
    package static let stale = ForwardReason(rawValue: "stale")
    /// A part is stored that does not hold what was asked for.
    package static let partial = ForwardReason(rawValue: "partial")
}

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
        // RFC 9110 §9.3.1: of content only the origin knows what it means.
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
