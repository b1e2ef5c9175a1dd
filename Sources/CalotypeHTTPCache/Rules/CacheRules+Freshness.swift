package import CalotypeHTTP

/// The freshness and age of a stored response (RFC 9111 §4.2).
package struct Freshness: Hashable, Sendable {
    enum Source: Sendable {
        case sharedMaxAge, maxAge, expires, none
        /// A fraction of the time since Last-Modified.
        case heuristic
        /// The lifetime is ``CacheRules/negativeLifetime``.
        case negative
        /// The lifetime is ``CacheRules/defaultLifetime``.
        case standard

        var isExplicit: Bool { self == .sharedMaxAge || self == .maxAge || self == .expires }
    }

    /// The lifetime from the response's creation, in seconds.
    let lifetime: Double
    let source: Source
    /// The time since the response's creation (§4.2.3), in seconds; never negative.
    let age: Double
    /// The seconds for which the stale response may be served during a validation (RFC 5861 §3); 0 if it must not.
    let staleWhileRevalidate: Double
    /// The seconds for which the stale response may replace a server error (RFC 5861 §4); 0 if it must not.
    let staleIfError: Double
    /// Whether the response must be validated before each use, even while fresh (no-cache).
    let needsValidation: Bool
    /// Whether the response may be served stale (§4.2.4).
    let mayBeStale: Bool

    /// Whether the origin set the lifetime or required validation. If not, the lifetime is the cache's own choice.
    var isExplicit: Bool { needsValidation || source.isExplicit }
    var isFresh: Bool { lifetime > age }
    /// The remaining freshness in seconds; negative once stale.
    var ttl: Double { lifetime - age }
    /// The time since the response became stale, in seconds; 0 while fresh.
    var staleness: Double { max(0, -ttl) }
    /// Whether the response may be served at once and validated in the background.
    var isWithinStaleWhileRevalidate: Bool {
        !needsValidation && mayBeStale && !isFresh && staleness <= staleWhileRevalidate && staleWhileRevalidate > 0
    }
}

extension CacheRules {
    /// Returns the freshness of a stored response at the time `now` (RFC 9111 §4.2).
    func freshness(of stored: StoredResponse, now: Double) -> Freshness {
        let directives = directives(of: stored)
        let (stated, source) = lifetime(of: stored, by: directives)
        let mayBeStale = mayBeStale(directives)
        let age = age(of: stored, lifetime: stated, now: now)
        // A purge ends the lifetime at its own time, from which the periods of staleness count.
        let lifetime = stored.staleSince.map { min(stated, age - max(0, now - $0)) } ?? stated
        return Freshness(
            lifetime: lifetime, source: source, age: age,
            staleWhileRevalidate: mayBeStale && servesWhileRevalidating ? directives.staleWhileRevalidate ?? 0 : 0,
            staleIfError: mayBeStale ? directives.staleIfError ?? 0 : 0,
            needsValidation: directives.noCache == .whole, mayBeStale: mayBeStale)
    }

    func directives(of stored: StoredResponse) -> ResponseDirectives { stored.head.directives(isShared: isShared) }

    /// Returns the directives of a response that is not stored.
    func directives(in fields: HTTPFields) -> ResponseDirectives {
        let targeted = isShared ? ResponseDirectives(targeted: fields.values(of: "CDN-Cache-Control")) : nil
        return targeted ?? ResponseDirectives(fields.values(of: "Cache-Control"))
    }

    func isTargeted(_ stored: StoredResponse) -> Bool {
        isShared && stored.head.targeted != nil
    }

    /// Returns the lifetime (§4.2.1): s-maxage (in a shared cache), else max-age, else Expires, else the heuristic one.
    private func lifetime(of stored: StoredResponse, by directives: ResponseDirectives) -> (Double, Freshness.Source) {
        if isShared, let seconds = directives.sharedMaxAge { return (seconds, .sharedMaxAge) }
        if let seconds = directives.maxAge { return (seconds, .maxAge) }
        let head = stored.head
        if !isTargeted(stored) {
            switch head.expires {
            case .at(let moment): return (max(0, moment - (head.date ?? stored.responseTime)), .expires)
            // §5.3: an invalid date means a time in the past.
            case .invalid: return (0, .expires)
            case .absent: break
            }
        }
        return heuristicLifetime(of: stored, isPublic: directives.isPublic)
    }

    /// Returns the heuristic lifetime (§4.2.2).
    private func heuristicLifetime(of stored: StoredResponse, isPublic: Bool) -> (Double, Freshness.Source) {
        guard isPublic || StatusRules.isHeuristicallyCacheable(stored.status) else { return (0, .none) }
        if let modified = stored.head.lastModified, guessesFailures || stored.status < 400 {
            let unchanged = (stored.head.date ?? stored.responseTime) - modified
            return (min(max(0, unchanged * heuristicFraction), heuristicLimit / .seconds(1)), .heuristic)
        }
        if StatusRules.isNegative(stored.status), negativeLifetime > .zero {
            return (negativeLifetime / .seconds(1), .negative)
        }
        if defaultLifetime > .zero, stored.status < 400 { return (defaultLifetime / .seconds(1), .standard) }
        return (0, .none)
    }

    /// Returns the current age (§4.2.3). The apparent age is rounded down, because Date has whole seconds. If the clock
    /// has been set back to before the response, the age is unknown, and the response counts as stale.
    private func age(of stored: StoredResponse, lifetime: Double, now: Double) -> Double {
        let apparent = max(0, (stored.responseTime - (stored.head.date ?? stored.responseTime)).rounded(.down))
        let corrected = stored.head.age + max(0, stored.responseTime - stored.requestTime)
        let initial = max(apparent, corrected)
        guard now >= stored.responseTime - 1 else { return max(initial, lifetime) }
        return initial + max(0, now - stored.responseTime)
    }

    /// Returns `true` unless a directive (in a shared cache, also s-maxage) forbids stale responses (§4.2.4, §5.2.2).
    private func mayBeStale(_ directives: ResponseDirectives) -> Bool {
        if directives.mustRevalidate || directives.noCache == .whole { return false }
        return !(isShared && (directives.proxyRevalidate || directives.sharedMaxAge != nil))
    }

    /// Returns the outcome for a network response that is not stored, including how long the client may reuse it.
    package func outcome(
        of response: HTTPResponse, to request: HTTPRequest, requestTime: Double, responseTime: Double
    ) -> CacheOutcome {
        let fields = response.fields
        let relevant: [CaselessString] = ["Cache-Control", "CDN-Cache-Control", "Expires", "Last-Modified", "ETag"]
        guard fields.contains(where: { relevant.contains($0.name) }) else { return CacheOutcome(source: .network) }
        let head = StoredResponse(
            url: "", method: request.method, status: response.status, fields: fields, requestTime: requestTime,
            responseTime: responseTime, varying: [], bodyLength: 0, part: nil)
        let freshness = freshness(of: head, now: responseTime)
        let directives = directives(of: head)
        let isForbidden = directives.forbidStoring(response.status) || isShared && directives.isPrivate == .whole
        return CacheOutcome(.network, freshness, of: fields, now: responseTime, isForbidden: isForbidden)
    }
}

extension CacheOutcome {
    /// - Parameter isForbidden: Whether the response must not be stored.
    init(_ source: Source, _ freshness: Freshness, of fields: HTTPFields, now: Double, isForbidden: Bool = false) {
        let freshUntil = freshness.needsValidation || isForbidden ? nil : now + freshness.ttl
        self.init(
            source: source, age: freshness.age, validator: fields["ETag"] ?? fields["Last-Modified"],
            freshUntil: freshUntil,
            usableWhileRevalidatingUntil: freshUntil.map { $0 + freshness.staleWhileRevalidate },
            isExplicit: freshness.isExplicit || isForbidden)
    }
}
