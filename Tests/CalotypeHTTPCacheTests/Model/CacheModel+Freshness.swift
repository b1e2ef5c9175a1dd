// RFC 9111 §4.2.

extension CacheModel {
    /// RFC 9213 §2.2: in a shared cache, CDN-Cache-Control replaces Cache-Control and Expires.
    func directives(_ entry: ModelEntry) -> ModelDirectives {
        isShared ? entry.targeted ?? entry.general : entry.general
    }

    func directives(_ fields: ModelFields) -> ModelDirectives {
        let targeted = ModelDirectives(fields.all("cdn-cache-control"))
        return isShared && !targeted.isEmpty ? targeted : ModelDirectives(fields.all("cache-control"))
    }

    func isTargeted(_ entry: ModelEntry) -> Bool { isShared && entry.targeted != nil }

    /// §4.2.1, §4.2.2.
    func lifetime(_ entry: ModelEntry) -> (seconds: Double, isExplicit: Bool) {
        let directives = directives(entry)
        if isShared, let seconds = directives.seconds("s-maxage") { return (seconds, true) }
        if let seconds = directives.seconds("max-age") { return (seconds, true) }
        if let expires = entry.fields["expires"], !isTargeted(entry) {
            let time = ModelDate.time(expires)
            return (time.map { max(0, $0 - (entry.date ?? entry.came)) } ?? 0, true)
        }
        guard directives.has("public") || ModelStatus.heuristic.contains(entry.status) else { return (0, false) }
        if let modified = entry.lastModified {
            let unchanged = (entry.date ?? entry.came) - modified
            return (min(max(0, unchanged * heuristicFraction), heuristicLimit), false)
        }
        if entry.status == 404 || entry.status == 410 { return (negativeLifetime, false) }
        return (entry.status < 400 ? defaultLifetime : 0, false)
    }

    /// §4.2.3. Date has whole seconds, so that a part of one is no age.
    func age(_ entry: ModelEntry, at now: Double) -> Double {
        let apparent = max(0, (entry.came - (entry.date ?? entry.came)).rounded(.down))
        let value = entry.fields["age"].flatMap { deltaSeconds($0.split(separator: ",").first.map(String.init) ?? "") }
        let corrected = (value ?? 0) + max(0, entry.came - entry.sent)
        let initial = max(apparent, corrected)
        if now < entry.came - 1 { return max(initial, lifetime(entry).seconds) }
        return initial + max(0, now - entry.came)
    }

    func isFresh(_ entry: ModelEntry, at now: Double) -> Bool { lifetime(entry).seconds > age(entry, at: now) }

    func staleness(_ entry: ModelEntry, at now: Double) -> Double {
        max(0, age(entry, at: now) - lifetime(entry).seconds)
    }

    func needsValidation(_ entry: ModelEntry) -> Bool { directives(entry).isWhole("no-cache") }

    /// §4.2.4.
    func mayBeStale(_ entry: ModelEntry) -> Bool {
        let directives = directives(entry)
        if directives.has("must-revalidate") || directives.isWhole("no-cache") { return false }
        return !isShared || !directives.has("proxy-revalidate") && !directives.has("s-maxage")
    }
}
