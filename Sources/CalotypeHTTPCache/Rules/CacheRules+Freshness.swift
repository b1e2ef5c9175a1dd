internal import CalotypeHTTP

extension CacheRules {
    /// RFC 9111 §4.2: how fresh a stored response is at this moment.
    package func freshness(of stored: StoredResponse, now: Double) -> Freshness {
        let directives = directives(of: stored)
        let (lifetime, source) = lifetime(of: stored, by: directives)
        let mayBeStale = mayBeStale(directives)
        return Freshness(
            lifetime: lifetime, source: source, age: age(of: stored, lifetime: lifetime, now: now),
            staleWhileRevalidate: mayBeStale ? directives.staleWhileRevalidate ?? 0 : 0,
            staleIfError: mayBeStale ? directives.staleIfError ?? 0 : 0,
            needsValidation: directives.noCache == .whole, mayBeStale: mayBeStale)
    }

    func directives(of stored: StoredResponse) -> ResponseDirectives { stored.head.directives(isShared: isShared) }

    /// Those of an answer that is not stored.
    func directives(in fields: HTTPFields) -> ResponseDirectives {
        ParsedHead(fields, receivedAt: 0).directives(isShared: isShared)
    }

    func isTargeted(_ stored: StoredResponse) -> Bool {
        isShared && stored.head.targeted != nil
    }

    /// §4.2.1: the first of s-maxage (in a shared cache), max-age, Expires, and the heuristic that applies.
    private func lifetime(of stored: StoredResponse, by directives: ResponseDirectives) -> (Double, Freshness.Source) {
        if isShared, let seconds = directives.sharedMaxAge { return (seconds, .sharedMaxAge) }
        if let seconds = directives.maxAge { return (seconds, .maxAge) }
        let head = stored.head
        if !isTargeted(stored) {
            switch head.expires {
            case .at(let moment): return (max(0, moment - (head.date ?? stored.responseTime)), .expires)
            // §5.3: in the past.
            case .invalid: return (0, .expires)
            case .absent: break
            }
        }
        return heuristicLifetime(of: stored, isPublic: directives.isPublic)
    }

    /// §4.2.2.
    private func heuristicLifetime(of stored: StoredResponse, isPublic: Bool) -> (Double, Freshness.Source) {
        guard isPublic || StatusRules.isHeuristicallyCacheable(stored.status) else { return (0, .none) }
        if let modified = stored.head.lastModified, guessesFailures || stored.status < 400 {
            let unchanged = (stored.head.date ?? stored.responseTime) - modified
            return (min(max(0, unchanged * heuristicFraction), heuristicLimit), .heuristic)
        }
        if StatusRules.isNegative(stored.status), negativeLifetime > 0 { return (negativeLifetime, .negative) }
        return (0, .none)
    }

    /// §4.2.3. Date counts whole seconds, so that the fraction of a second by which it lags behind says nothing.
    ///
    /// Where the clock has jumped back, nobody knows how old the response is: it counts as stale.
    private func age(of stored: StoredResponse, lifetime: Double, now: Double) -> Double {
        let apparent = max(0, (stored.responseTime - (stored.head.date ?? stored.responseTime)).rounded(.down))
        let corrected = stored.head.age + max(0, stored.responseTime - stored.requestTime)
        let initial = max(apparent, corrected)
        guard now >= stored.responseTime - 1 else { return max(initial, lifetime) }
        return initial + max(0, now - stored.responseTime)
    }

    /// §4.2.4 and §5.2.2: who forbids a stale answer. s-maxage does so in a shared cache too (§5.2.2.10).
    private func mayBeStale(_ directives: ResponseDirectives) -> Bool {
        if directives.mustRevalidate || directives.noCache == .whole { return false }
        return !(isShared && (directives.proxyRevalidate || directives.sharedMaxAge != nil))
    }
}
