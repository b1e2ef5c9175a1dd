package import CalotypeHTTP

/// How long a stored response is fresh, and how old it is. RFC 9111 §4.2.
package struct Freshness: Hashable, Sendable {
    /// Where the lifetime comes from. May grow.
    package struct Source: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let sharedMaxAge = Source(rawValue: "s-maxage")
        package static let maxAge = Source(rawValue: "max-age")
        package static let expires = Source(rawValue: "expires")
        /// A part of the time since Last-Modified.
        package static let heuristic = Source(rawValue: "heuristic")
        /// ``CacheRules/negativeLifetime``.
        package static let negative = Source(rawValue: "negative")
        package static let none = Source(rawValue: "none")

        /// A Boolean value indicating whether the origin gave it, rather than the cache guessed or knew nothing.
        var isExplicit: Bool { self == .sharedMaxAge || self == .maxAge || self == .expires }
    }

    /// Seconds from the response's birth until it is stale.
    package let lifetime: Double
    package let source: Source
    /// Seconds since the response's birth (§4.2.3); never negative.
    package let age: Double
    /// Seconds beyond freshness in which it may be served while it is validated in the background (RFC 5861 §3); 0 where
    /// it must not be served stale.
    package let staleWhileRevalidate: Double
    /// Seconds beyond freshness in which it may be served instead of a server's error (RFC 5861 §4); 0 likewise.
    package let staleIfError: Double
    /// A Boolean value indicating whether it may be reused without asking at all, when fresh: no-cache forbids it.
    package let needsValidation: Bool
    /// A Boolean value indicating whether serving it stale is not forbidden (§4.2.4).
    package let mayBeStale: Bool

    /// A Boolean value indicating whether the origin said so itself, rather than the cache guessed or knew nothing.
    package var isExplicit: Bool { needsValidation || source.isExplicit }
    /// §4.2.
    package var isFresh: Bool { lifetime > age }
    /// Seconds until it is stale; negative since then.
    package var ttl: Double { lifetime - age }
    /// Seconds since it is stale; 0 while it is fresh.
    package var staleness: Double { max(0, -ttl) }
    /// A Boolean value indicating whether it may be served at once and validated behind the client's back.
    package var isWithinStaleWhileRevalidate: Bool {
        !needsValidation && mayBeStale && !isFresh && staleness <= staleWhileRevalidate && staleWhileRevalidate > 0
    }
}

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

extension CacheRules {
    /// Returns the outcome for an answer from the network that no cache keeps: how long its receiver may use it.
    package func outcome(
        of response: HTTPResponse, to request: HTTPRequest, requestTime: Double, responseTime: Double
    ) -> CacheOutcome {
        let fields = response.fields
        guard fields.contains(where: { saysSomething($0.name) }) else { return CacheOutcome(source: .network) }
        let head = StoredResponse(
            url: "", method: request.method, status: response.status, fields: fields, requestTime: requestTime,
            responseTime: responseTime, varying: [], bodyLength: 0, part: nil)
        let freshness = freshness(of: head, now: responseTime)
        let isForbidden = directives(of: head).forbidStoring(response.status)
        let freshUntil = freshness.needsValidation || isForbidden ? nil : responseTime + freshness.ttl
        return CacheOutcome(
            source: .network, age: freshness.age, validator: fields["ETag"] ?? fields["Last-Modified"],
            freshUntil: freshUntil,
            usableWhileRevalidatingUntil: freshUntil.map { $0 + freshness.staleWhileRevalidate },
            isExplicit: freshness.isExplicit || isForbidden)
    }

    private func saysSomething(_ name: CaselessString) -> Bool {
        ["Cache-Control", "CDN-Cache-Control", "Expires", "Last-Modified", "ETag"].contains(name)
    }
}
