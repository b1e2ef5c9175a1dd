import CalotypeHTTP

/// A failure of the origin that may justify a stale response (RFC 9111 §4.2.4, RFC 5861 §4).
enum OriginFailure: Hashable, Sendable {
    /// No complete response arrived, for example because the connection failed or timed out.
    case unreachable
    /// The response violates HTTP.
    case malformed
    /// A response with this status arrived.
    case status(Int)
}

extension CacheRules {
    /// Returns the position of the stored response that may be served because the origin fails, or `nil` if there is none.
    /// It is the response that the origin would have been asked to validate. If it must not be served stale, no older one
    /// takes its place (RFC 9111 §4).
    func stale(
        _ variants: [StoredResponse], for request: HTTPRequest, because failure: OriginFailure, now: Double
    ) -> Int? {
        let facts = RequestFacts(request.fields)
        let best = select(variants, for: request).first { holds(variants[$0], what: request, facts) }
        return best.flatMap { mayServeStale(variants[$0], for: request, because: failure, now: now) ? $0 : nil }
    }

    /// Returns `true` if a stale response may be served because the origin fails (RFC 9111 §4.2.4).
    ///
    /// For an unreachable origin, the limit is ``staleIfUnreachable`` or stale-if-error, whichever is longer. For a
    /// 500, 502, 503 or 504, and for a malformed response, it is the stale-if-error of the response or the request (RFC
    /// 5861 §4). must-revalidate and no-cache forbid a stale response; in a shared cache, so do proxy-revalidate and
    /// s-maxage. The response must match the request, be recent enough for it, and contain the requested bytes.
    func mayServeStale(
        _ stored: StoredResponse, for request: HTTPRequest, because failure: OriginFailure, now: Double
    ) -> Bool {
        let facts = RequestFacts(request.fields)
        let wanted = RequestDirectives(facts.cacheControl)
        let freshness = freshness(of: stored, now: now)
        guard freshness.mayBeStale, !facts.hasOriginConditions, !request.hasContent, match(stored, request) != .none,
            holds(stored, what: request, facts),
            accepts(wanted, freshness)
        else { return false }
        let window = max(freshness.staleIfError, wanted.staleIfError ?? 0)
        let isWithin = window > 0 && freshness.staleness <= window
        switch failure {
        case .unreachable:
            return isWithin || staleIfUnreachable.map { freshness.staleness <= $0 / .seconds(1) } ?? false
        case .malformed: return isWithin
        case .status(let status): return isWithin && [500, 502, 503, 504].contains(status)
        }
    }

    private func accepts(_ wanted: RequestDirectives, _ freshness: Freshness) -> Bool {
        if wanted.noCache || wanted.noStore { return false }
        if let limit = wanted.maxAge, freshness.age > limit || limit == 0 { return false }
        if let margin = wanted.minFresh, freshness.ttl < margin { return false }
        return wanted.maxStale.map { freshness.staleness <= $0 } ?? true
    }
}
