// RFC 9111 §4: which stored responses may answer a request.

extension CacheModel {
    /// A reason for which a stored response may answer without the origin's word.
    enum Reuse: String, CaseIterable {
        case fresh, maxStale, whileRevalidating, error, unreachable
    }

    /// The state of the exchange with the origin when the response is chosen.
    enum Origin {
        case notAsked
        /// The last exchange failed: a status, no HTTP, or no connection.
        case failed(status: Int)
        case malformed
        case unreachable
    }

    /// The responses that could be chosen but for their freshness, and have the bytes that the request wants.
    func suitable(_ request: ModelRequest) -> [ModelEntry] {
        guard request.method == "GET" || request.method == "HEAD" else { return [] }
        return known(request.url).filter { matches($0, request) && holds($0, request) }
    }

    /// Notes the choices on which the answer to the request may depend.
    mutating func noteChoices(_ request: ModelRequest, at now: Double) {
        for entry in suitable(request) {
            if request.directives.has("no-store") { note(.requestNoStore) }
            if request.directives.seconds("max-age") == 0, age(entry, at: now) == 0 { note(.maxAgeZero) }
            if now < entry.came - 1 { note(.clockSetBack) }
        }
    }

    /// Why the stored response may answer; `nil` if it must not.
    func reuse(_ entry: ModelEntry, for request: ModelRequest, at now: Double, _ origin: Origin) -> Reuse? {
        let wanted = request.directives
        if request.isForOrigin || wanted.has("no-store") || wanted.has("no-cache") { return nil }
        if !isRecent(entry, wanted, at: now) { return nil }
        let isFresh = isFresh(entry, at: now)
        if case .notAsked = origin, isFresh, !needsValidation(entry) { return .fresh }
        guard mayBeStale(entry) else { return nil }
        let staleness = staleness(entry, at: now)
        let accepted = wanted.number("max-stale", bare: .infinity)
        switch origin {
        case .notAsked:
            if let accepted, staleness <= accepted { return .maxStale }
            let window = directives(entry).seconds("stale-while-revalidate") ?? 0
            return window > 0 && staleness <= window ? .whileRevalidating : nil
        case .unreachable:
            guard staleness <= accepted ?? .infinity else { return nil }
            if isWithinError(entry, wanted, staleness) { return .error }
            return staleIfUnreachable.map { staleness <= $0 } == true ? .unreachable : nil
        case .malformed:
            guard staleness <= accepted ?? .infinity else { return nil }
            return isWithinError(entry, wanted, staleness) ? .error : nil
        case .failed(let status):
            guard [500, 502, 503, 504].contains(status), staleness <= accepted ?? .infinity else { return nil }
            return isWithinError(entry, wanted, staleness) ? .error : nil
        }
    }

    /// RFC 5861 §4.
    private func isWithinError(_ entry: ModelEntry, _ wanted: ModelDirectives, _ staleness: Double) -> Bool {
        let clients = wanted.number("stale-if-error") ?? 0
        let window = max(directives(entry).seconds("stale-if-error") ?? 0, clients)
        return window > 0 && staleness <= window
    }

    /// §5.2.1.1, §5.2.1.3; RFC 8246 §2.
    private func isRecent(_ entry: ModelEntry, _ wanted: ModelDirectives, at now: Double) -> Bool {
        let age = age(entry, at: now)
        if let limit = wanted.seconds("max-age"), age > limit || limit == 0 {
            let isImmutable = directives(entry).has("immutable") && isFresh(entry, at: now)
            if limit > 0 || !isImmutable { return false }
        }
        guard let margin = wanted.number("min-fresh") else { return true }
        return lifetime(entry).seconds - age >= margin
    }

    /// §4: of several suitable responses, the most recent one counts. This one must not answer if the cache surely has a
    /// more recent one.
    func isOutdone(_ entry: ModelEntry, for request: ModelRequest) -> Bool {
        suitable(request).contains { $0.standing == .promised && $0 !== entry && $0.recency > entry.recency }
    }

    /// The response that our documents promise without asking the origin, if there is one.
    func promisedHit(_ request: ModelRequest, at now: Double) -> ModelEntry? {
        let suitable = suitable(request)
        guard suitable.contains(where: { $0.standing == .promised }) else { return nil }
        // All that the cache may choose from have to be fresh, because a possible one may be the most recent.
        let choices = known(request.url).filter { matches($0, request) }
        let areFresh = choices.allSatisfy {
            holds($0, request) && reuse($0, for: request, at: now, .notAsked) == .fresh
        }
        return areFresh ? suitable.first { $0.standing == .promised } : nil
    }

    /// The stale response that our documents promise after this failure. Any response that the cache may have would do, because
    /// the most recent one counts.
    func promisedStale(_ request: ModelRequest, at now: Double, _ origin: Origin) -> ModelEntry? {
        let suitable = suitable(request)
        let mayAll = suitable.allSatisfy { reuse($0, for: request, at: now, origin) != nil }
        return mayAll ? suitable.first { $0.standing == .promised } : nil
    }

    /// Whether a stale response may answer after this failure.
    func mayBeStale(_ request: ModelRequest, at now: Double, _ origin: Origin) -> Bool {
        suitable(request).contains { reuse($0, for: request, at: now, origin) != nil }
    }
}
