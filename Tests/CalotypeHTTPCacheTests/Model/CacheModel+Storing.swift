// RFC 9111 §3: whether a response may be stored, and whether our documents promise it.

extension CacheModel {
    /// Whether §3 allows a cache to store the response.
    func mayStore(_ entry: ModelEntry, _ exchange: ModelExchange, _ status: Int) -> Bool {
        let directives = directives(entry)
        let request = exchange.request
        guard request.method == "GET" || isResultOfPost(entry, exchange) else { return false }
        guard ![304, 412, 416].contains(status) else { return false }
        if request.directives.has("no-store") { return false }
        let isUnderstood = ModelStatus.understood.contains(status)
        if directives.has("must-understand") {
            if !isUnderstood { return false }
        } else if directives.has("no-store") {
            return false
        }
        if isShared {
            if directives.isWhole("private") { return false }
            if request.fields.has("authorization"), !allowsAuthorization(directives) { return false }
        }
        if directives.has("public") || directives.has("max-age") { return true }
        if entry.fields.has("expires"), !isTargeted(entry) { return true }
        if isShared ? directives.has("s-maxage") : directives.has("private") { return true }
        return ModelStatus.heuristic.contains(status)
    }

    /// RFC 9110 §9.3.3.
    func isResultOfPost(_ entry: ModelEntry, _ exchange: ModelExchange) -> Bool {
        guard exchange.request.method == "POST", entry.status == 200 else { return false }
        guard let place = entry.fields["content-location"], entry.url.hasSuffix(place) else { return false }
        return lifetime(entry).isExplicit && isFresh(entry, at: entry.came)
    }

    /// §3.5.
    func allowsAuthorization(_ directives: ModelDirectives) -> Bool {
        directives.has("must-revalidate") || directives.has("public") || directives.has("s-maxage")
    }

    /// Whether our documents promise that this response is stored.
    mutating func isPromised(_ entry: ModelEntry, _ exchange: ModelExchange) -> Bool {
        guard entry.fields.list("vary")?.contains("*") != true else {
            note(.varyAnything)
            return false
        }
        let directives = directives(entry)
        let isStated = directives.has("public") || directives.has("max-age") || directives.has("s-maxage")
        if isShared, exchange.fields.has("set-cookie"), !(isStated || !isTargeted(entry) && entry.fields.has("expires"))
        {
            note(.cookie)
            return false
        }
        if entry.hasValidator { return true }
        let isReusable = !needsValidation(entry) && (isFresh(entry, at: entry.came) || windowIsOpen(entry))
        if !isReusable { note(.neverReusable) }
        return isReusable
    }

    func windowIsOpen(_ entry: ModelEntry) -> Bool {
        guard mayBeStale(entry) else { return false }
        let directives = directives(entry)
        let window = max(
            directives.seconds("stale-while-revalidate") ?? 0, directives.seconds("stale-if-error") ?? 0)
        return window - staleness(entry, at: entry.came) > 0
    }
}
