import CalotypeHTTP

extension CacheRules {
    func storingRulings(_ stored: StoredResponse, _ request: HTTPRequest, _ freshness: Freshness) -> [CacheRuling] {
        let directives = directives(of: stored)
        var rulings = [groundRuling(stored, directives, freshness)]
        if isShared {
            if isTargeted(stored) {
                rulings.append(
                    CacheRuling(.storing, "CDN-Cache-Control replaces Cache-Control and Expires", "RFC 9213 §2.2"))
            } else if stored.fields.contains("CDN-Cache-Control") {
                rulings.append(CacheRuling(.storing, "CDN-Cache-Control is malformed, and ignored", "RFC 9213 §2.2"))
            }
            if request.fields.contains("Authorization") {
                rulings.append(CacheRuling(.storing, "although the request has Authorization", "RFC 9111 §3.5"))
            }
        }
        if isShared, !directives.isPrivate.fieldNames.isEmpty {
            let names = Excerpt.list(directives.isPrivate.fieldNames.sorted().map(\.string))
            rulings.append(CacheRuling(.storing, "without the fields \(names)", "RFC 9111 §5.2.2.7"))
        }
        if !stored.isComplete {
            rulings.append(CacheRuling(.storing, "as a part of the whole", "RFC 9111 §3.3"))
        }
        return rulings
    }

    private func groundRuling(
        _ stored: StoredResponse, _ directives: ResponseDirectives, _ freshness: Freshness
    ) -> CacheRuling {
        switch ground(of: stored, by: directives, freshness) {
        case _ where !isReusable(stored, by: directives):
            CacheRuling(.storing, "stored, for requests that accept any age: this cache's choice", "RFC 9111 §3")
        case .lifetime: CacheRuling(.storing, "stored: it states a lifetime", "RFC 9111 §3")
        case .isPublic: CacheRuling(.storing, "stored: public", "RFC 9111 §3", "RFC 9111 §5.2.2.9")
        case .status:
            CacheRuling(
                .storing, "stored: the status \(stored.status) allows a heuristic lifetime", "RFC 9111 §3",
                "RFC 9110 §15.1")
        case .isPrivate: CacheRuling(.storing, "stored: private", "RFC 9111 §3", "RFC 9111 §5.2.2.7")
        case nil: CacheRuling(.storing, "not stored: no rule allows it", "RFC 9111 §3")
        }
    }

    func variantRulings(_ stored: StoredResponse) -> [CacheRuling] {
        guard !stored.varying.isEmpty else { return [] }
        let values = stored.varying.map { field in
            let value = field.value.map { Excerpt.isSecret(field.name) ? "present" : Excerpt.of($0) }
            return "\(Excerpt.of(ByteString(field.name.string))) (here: \(value ?? "absent"))"
        }
        return [CacheRuling(.variants, "one for each value of \(Excerpt.list(values))", "RFC 9111 §4.1")]
    }

    func searchRulings(_ stored: StoredResponse) -> [CacheRuling] {
        let section = "draft-ietf-httpbis-no-vary-search"
        guard stored.fields.contains("No-Vary-Search") else { return [] }
        guard let variance = stored.head.searchVariance else {
            return [
                CacheRuling(.search, "No-Vary-Search is malformed or names no difference, and is ignored", section)
            ]
        }
        guard obeysNoVarySearch else {
            return [CacheRuling(.search, "No-Vary-Search is ignored: off in shared caches", section)]
        }
        var texts: [String] = []
        switch variance.parameters {
        case .allBut(let names) where names.isEmpty: break
        case .allBut(let names): texts.append("other values of \(Excerpt.list(names.sorted().map(Excerpt.of)))")
        case .only(let names) where names.isEmpty: texts.append("any other parameters")
        case .only(let names):
            texts.append("other parameters than \(Excerpt.list(names.sorted().map(Excerpt.of)))")
        }
        if variance.ignoresOrder { texts.append("another order of parameters") }
        return [CacheRuling(.search, "answers URLs with \(texts.joined(separator: ", and with "))", section)]
    }

    func groupRulings(_ stored: StoredResponse) -> [CacheRuling] {
        guard stored.fields.contains("Cache-Groups") else { return [] }
        let text =
            switch stored.head.groups {
            case nil: "Cache-Groups is malformed, and ignored"
            case .all: "in more groups than the cache tells apart: in each group of its origin"
            case .named(let names): "in \(Excerpt.list(names.sorted().map { "\"\(Excerpt.of($0))\"" }))"
            }
        return [CacheRuling(.groups, text, "RFC 9875 §2")]
    }
}

/// Parts of field values for people, of limited length.
enum Excerpt {
    private static let length = 64
    private static let count = 8

    static func of(_ value: ByteString) -> String {
        guard value.count > length else { return value.string }
        return value.withBytes { ByteString(bytes: $0[..<length]) }.string + "…"
    }

    static func list(_ texts: [String]) -> String {
        let more = texts.count - count
        return texts.prefix(count).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    /// Whether a request's value of the field is not for the screen.
    static func isSecret(_ name: CaselessString) -> Bool {
        ["Authorization", "Cookie", "Proxy-Authorization"].contains(name)
    }

    /// Returns "90 s", "2 h 30 min" or "365 days".
    static func duration(_ seconds: Double) -> String {
        let whole = Int(min(max(seconds.rounded(), 0), DeltaSeconds.limit))
        let units = [(86_400, "days"), (3600, "h"), (60, "min"), (1, "s")]
        guard whole >= 120, let first = units.firstIndex(where: { whole >= 2 * $0.0 }) else { return "\(whole) s" }
        let (size, name) = units[first]
        let rest = first + 1 < units.count ? whole % size / units[first + 1].0 : 0
        return "\(whole / size) \(name)" + (rest > 0 ? " \(rest) \(units[first + 1].1)" : "")
    }
}
