package import CalotypeHTTP

/// Why the origin's own answer is not to be had. RFC 9111 §4.2.4, RFC 5861 §4.
package enum OriginFailure: Hashable, Sendable {
    /// No connection, or one that broke before the response.
    case unreachable
    /// An answer that breaks HTTP's rules.
    case malformed
    /// A response with this status.
    case status(Int)
}

extension CacheRules {
    /// RFC 9111 §4.2.4: whether a stored response may be served although it is stale, because the origin fails.
    ///
    /// Unreachable: within ``staleIfUnreachable`` or stale-if-error. 500, 502, 503 and 504, and a malformed answer, which a
    /// gateway would make a 502 of: within stale-if-error, the response's or the request's (RFC 5861 §4). Never against must-revalidate, no-cache, or in a shared cache
    /// proxy-revalidate and s-maxage; never where the request wants to have it validated, matches another variant, or
    /// needs more than is stored.
    package func mayServeStale(
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
        case .unreachable: return freshness.staleness <= max(window, staleIfUnreachable ?? -1)
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
