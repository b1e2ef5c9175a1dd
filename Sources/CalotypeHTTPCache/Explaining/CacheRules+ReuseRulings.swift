import CalotypeHTTP

extension CacheRules {
    func freshnessRuling(_ stored: StoredResponse, _ freshness: Freshness, now: Double) -> CacheRuling {
        if freshness.needsValidation {
            return CacheRuling(.freshness, "validated before each use: no-cache", "RFC 9111 §5.2.2.4")
        }
        let (cause, section) = cause(of: freshness, stored)
        guard freshness.isFresh else {
            let text =
                freshness.lifetime > 0
                ? "stale on arrival: the lifetime is \(Excerpt.duration(freshness.lifetime)) (\(cause)), the age "
                    + Excerpt.duration(freshness.age)
                : "stale at once: \(cause)"
            return CacheRuling(.freshness, text, section, "RFC 9111 §4.2.3")
        }
        let age = freshness.age >= 1 ? ", less \(Excerpt.duration(freshness.age)) of age" : ""
        let end = HTTPDate.format(now + freshness.ttl).string
        return CacheRuling(
            .freshness, "fresh for \(Excerpt.duration(freshness.ttl)), until \(end): \(cause)\(age)", section)
    }

    private func cause(of freshness: Freshness, _ stored: StoredResponse) -> (text: String, section: String) {
        let field = isTargeted(stored) ? "CDN-Cache-Control's " : ""
        let immutable = directives(of: stored).immutable && freshness.isFresh ? ", immutable" : ""
        return switch freshness.source {
        case .sharedMaxAge: ("\(field)s-maxage\(immutable)", "RFC 9111 §5.2.2.10")
        case .maxAge: ("\(field)max-age\(immutable)", "RFC 9111 §5.2.2.1")
        case .expires where stored.head.expires == .invalid: ("Expires is no date", "RFC 9111 §5.3")
        case .expires: ("Expires", "RFC 9111 §5.3")
        case .heuristic: ("a fraction of the time since Last-Modified, by heuristic", "RFC 9111 §4.2.2")
        case .negative: ("this cache's choice for the status \(stored.status)", "RFC 9111 §4.2.2")
        case .standard: ("this cache's default", "RFC 9111 §4.2.2")
        case .none: ("no lifetime is stated", "RFC 9111 §4.2.1")
        }
    }

    func stalenessRulings(_ stored: StoredResponse, _ freshness: Freshness) -> [CacheRuling] {
        guard freshness.mayBeStale else {
            let directives = directives(of: stored)
            let (name, section) =
                directives.noCache == .whole
                ? ("no-cache", "RFC 9111 §5.2.2.4")
                : directives.mustRevalidate
                    ? ("must-revalidate", "RFC 9111 §5.2.2.2")
                    : directives.proxyRevalidate
                        ? ("proxy-revalidate", "RFC 9111 §5.2.2.8") : ("s-maxage", "RFC 9111 §5.2.2.10")
            return [CacheRuling(.staleness, "never served stale: \(name)", section)]
        }
        var rulings: [CacheRuling] = []
        if freshness.staleWhileRevalidate > 0 {
            rulings.append(
                CacheRuling(
                    .staleness,
                    "served for another \(Excerpt.duration(freshness.staleWhileRevalidate)) while it is validated: "
                        + "stale-while-revalidate", "RFC 5861 §3"))
        }
        if freshness.staleIfError > 0 {
            rulings.append(
                CacheRuling(
                    .staleness,
                    "served for another \(Excerpt.duration(freshness.staleIfError)) if the origin fails: stale-if-error",
                    "RFC 5861 §4"))
        }
        if let limit = staleIfUnreachable, limit > .zero {
            rulings.append(
                CacheRuling(
                    .staleness,
                    "served for another \(Excerpt.duration(limit / .seconds(1))) if the origin is unreachable: this "
                        + "cache's choice", "RFC 9111 §4.2.4"))
        }
        guard rulings.isEmpty else { return rulings }
        return [CacheRuling(.staleness, "served stale only to requests with max-stale", "RFC 9111 §5.2.1.2")]
    }

    func validationRuling(_ stored: StoredResponse) -> CacheRuling {
        guard let validation = validation(RequestFacts([:]), candidates: [0], [stored], confirming: 0) else {
            return CacheRuling(.validation, "without ETag and Last-Modified, loaded anew", "RFC 9111 §4.3.1")
        }
        let fields = validation.fields.map { "\($0.name.string): \(Excerpt.of($0.value))" }
        return CacheRuling(
            .validation, "asks the origin with \(fields.joined(separator: ", "))", "RFC 9111 §4.3.1")
    }

    func rangeRulings(_ stored: StoredResponse) -> [CacheRuling] {
        guard stored.isComplete, stored.status == 200, stored.bodyLength > 1 else { return [] }
        let begun = stored.ended(bodyLength: 1, isComplete: false)
        return [
            begun.flatMap(rest) != nil
                ? CacheRuling(.ranges, "a download that breaks off resumes, by Range and If-Range", "RFC 9111 §3.4")
                : CacheRuling(
                    .ranges,
                    "a download that breaks off starts over: that takes a strong ETag and Accept-Ranges: bytes",
                    "RFC 9111 §3.4")
        ]
    }

    /// Returns the decision about the same request, sent again at once.
    func repetitionRuling(_ stored: StoredResponse, _ request: HTTPRequest, now: Double) -> CacheRuling {
        switch decide(request, variants: [stored], now: now) {
        case .serve: CacheRuling(.repetition, "answered from the cache\(form(stored, request, now))", "RFC 9111 §4")
        case .serveAndRevalidate:
            CacheRuling(
                .repetition, "answered from the cache, and validated in the background", "RFC 5861 §3")
        case .validate(_, .request):
            CacheRuling(.repetition, "validated: the request asks for it", "RFC 9111 §5.2.1")
        case .validate: CacheRuling(.repetition, "validated", "RFC 9111 §4.3")
        case .resume: CacheRuling(.repetition, "completed by the origin", "RFC 9111 §3.4")
        case .onlyIfCached: CacheRuling(.repetition, "refused with 504: only-if-cached", "RFC 9111 §5.2.1.7")
        case .forward(.request):
            CacheRuling(
                .repetition, "goes to the origin: the request asks for it", "RFC 9111 §5.2.1", "RFC 9111 §4.3.2")
        case .forward(.partial): CacheRuling(.repetition, "goes to the origin: only a part is stored", "RFC 9111 §3.3")
        case .forward: CacheRuling(.repetition, "goes to the origin", "RFC 9111 §4")
        }
    }

    private func form(_ stored: StoredResponse, _ request: HTTPRequest, _ now: Double) -> String {
        switch answer(request, from: stored, now: now) {
        case .whole: ""
        case .notModified: ", with 304"
        case .part: ", with the part (206)"
        case .unsatisfiable: ", with 416"
        }
    }
}
