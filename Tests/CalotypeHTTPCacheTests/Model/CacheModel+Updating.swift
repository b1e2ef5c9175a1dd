// RFC 9111 §3.2, §3.4, §4.3.4 and §4.3.5: what a 304, a HEAD and the rest of a body do to stored responses.

extension CacheModel {
    /// §4.3.4: which responses a 304 validates. The cache may use their updates for this request.
    mutating func validated(_ exchange: ModelExchange, _ client: ModelRequest) -> [ModelEntry] {
        let sent = exchange.request
        let asked = Set(ModelTag.list(sent.fields.list("if-none-match") ?? "").map(\.opaque))
        let newTag = exchange.fields["etag"].map(ModelTag.init)
        let candidates = known(sent.url).filter { entry in
            if let tag = entry.tag {
                // A strong tag names each response that the request could have got, whether its tag was sent or not.
                return asked.contains(tag.opaque) || matches(entry, client) && tag == newTag && !tag.isWeak
            }
            return sent.fields.has("if-modified-since") && entry.lastModified != nil && matches(entry, client)
        }
        let (selected, isNamed) = selected(candidates, by: exchange.fields)
        let isForAll =
            !isShared || !sent.fields.has("authorization") || allowsAuthorization(directives(exchange.fields))
        if !isForAll, !selected.isEmpty { note(.authorizedValidation) }
        // The conditions of the client may be all that was sent, or select another variant than the request.
        let isClients = sent.fields.says(client.fields)
        if isClients, !selected.isEmpty { note(.clientsValidation) }
        let isOwn = !isClients && client.method == "GET" && !client.isForOrigin && !client.directives.has("no-store")
        let isStrong = isNamed && exchange.fields["etag"].map { !ModelTag($0).isWeak } ?? false
        return selected.flatMap { entry in
            let update = updated(entry, by: exchange, client)
            guard isForAll else { return [update] }
            let isCertain = isOwn && matches(entry, client) && (isStrong || isNamed && selected.count == 1)
            if mayStay(update) {
                replace(entry, by: update, isCertain: isCertain)
            } else {
                entry.standing = isCertain ? .gone : .possible
            }
            return matches(entry, client) ? [update] : [update, taken(update, for: client)]
        }
    }

    /// A response that a 304 has selected for a request with other values in the fields of Vary (§4.1).
    mutating func taken(_ update: ModelEntry, for client: ModelRequest) -> ModelEntry {
        let variant = ModelEntry(
            url: update.url, status: update.status, fields: update.fields, body: update.body, part: update.part,
            length: update.length, sent: update.sent, came: update.came, varying: varying(update.fields, client),
            standing: .possible)
        if mayStay(update) {
            demote(entriesLike: variant)
            keep(variant)
        }
        return variant
    }

    /// - Returns: The responses, and whether the 304 names them by a validator.
    mutating func selected(
        _ candidates: [ModelEntry], by fields: ModelFields
    ) -> (entries: [ModelEntry], isNamed: Bool) {
        if let tag = fields["etag"].map(ModelTag.init) {
            let same = candidates.filter { entry in
                entry.tag.map { tag.isWeak ? $0.isWeakly(tag) : $0.isStrongly(tag) } ?? false
            }
            return (same, true)
        }
        if let modified = fields["last-modified"].flatMap(ModelDate.time) {
            // Which of them the cache has validated is known only if all have the date.
            if !candidates.isEmpty, candidates.allSatisfy({ $0.lastModified == modified }) { return (candidates, true) }
        }
        if !candidates.isEmpty { note(.bareValidation) }
        return (candidates, false)
    }

    /// Whether the head that a 304 or a HEAD has brought may be stored.
    func mayStay(_ entry: ModelEntry) -> Bool {
        let directives = directives(entry)
        if entry.fields.list("vary")?.contains("*") == true { return false }
        if isShared, directives.isWhole("private") { return false }
        if directives.has("must-understand") { return ModelStatus.understood.contains(entry.status) }
        return !directives.has("no-store")
    }

    mutating func replace(_ entry: ModelEntry, by update: ModelEntry, isCertain: Bool) {
        update.standing = isCertain ? entry.standing : .possible
        if entry.varying != update.varying {
            update.standing = .possible
            demote(entriesLike: update)
        }
        entry.standing = isCertain ? .gone : .possible
        keep(update)
    }

    /// The cache may have the response in place of those for the same values.
    func demote(entriesLike entry: ModelEntry) {
        for other in known(like: entry) where other.standing == .promised { other.standing = .possible }
    }

    /// §3.2. The date of a validation is that of its response, and so is its age.
    mutating func updated(_ entry: ModelEntry, by exchange: ModelExchange, _ client: ModelRequest) -> ModelEntry {
        let newer = exchange.fields.without(connectionFields(exchange.fields).union(Self.bodyFields))
        var fields = entry.fields.without(Set(newer.lines.map(\.name)).union(["age", "date"]))
        fields.lines += newer.lines
        if isShared {
            if newer.has("set-cookie") { note(.cookieOfValidation) }
            fields.remove(["set-cookie"])
        }
        if !fields.has("date") { fields.add("date", ModelDate.text(exchange.came)) }
        if isShared { fields.remove(directives(fields).fields("private")) }
        let names = varyNames(fields)
        let isSame = names == nil || names == Set(entry.varying.keys)
        return ModelEntry(
            url: entry.url, status: entry.status, fields: fields, body: entry.body, part: entry.part,
            length: entry.length, sent: exchange.sent, came: exchange.came,
            varying: isSame ? entry.varying : varying(fields, client), standing: .possible)
    }

    static let bodyFields: Set<String> = ["content-length", "content-encoding", "content-range"]

    /// §4.3.5: a HEAD updates the responses that it agrees with, and invalidates the others.
    mutating func freshen(_ exchange: ModelExchange, _ client: ModelRequest) {
        if client.directives.has("no-store") { return }
        let fields = exchange.fields
        if isShared, client.fields.has("authorization"), !allowsAuthorization(directives(fields)) { return }
        for entry in known(client.url) where entry.status == 200 && matches(entry, client) {
            let update = updated(entry, by: exchange, client)
            if agrees(entry, with: fields), mayStay(update) {
                replace(entry, by: update, isCertain: true)
            } else {
                entry.standing = .gone
            }
        }
    }

    func agrees(_ entry: ModelEntry, with fields: ModelFields) -> Bool {
        if let tag = fields["etag"].map(ModelTag.init), entry.tag.map({ $0.isWeakly(tag) }) != true { return false }
        if let modified = fields["last-modified"].flatMap(ModelDate.time), modified != entry.lastModified {
            return false
        }
        let length = entry.isWhole ? entry.body.count : entry.length
        return fields["content-length"].flatMap { Int($0) }.map { $0 == length ?? $0 } ?? true
    }

    /// §3.4: the whole that the bytes after a stored part make, if both have one strong tag; for each part that the cache may have.
    mutating func completed(_ exchange: ModelExchange, _ client: ModelRequest) -> [ModelEntry] {
        guard exchange.status == 206, !client.fields.has("range"),
            let content = exchange.fields["content-range"].flatMap(contentRange),
            let tag = exchange.fields["etag"].map(ModelTag.init),
            case .response(_, _, let body, false) = exchange.reply,
            exchange.request.fields["range"] == "bytes=\(content.range.lowerBound)-"
        else { return [] }
        let parts = known(exchange.request.url).filter { entry in
            let total = content.length ?? entry.length
            return entry.part?.upperBound == content.range.lowerBound && entry.part?.lowerBound == 0
                && entry.tag?.isStrongly(tag) == true && (entry.length ?? total) == total
                && content.range.upperBound == total && matches(entry, exchange.request)
        }
        return parts.map { part in
            let head = updated(part, by: exchange, exchange.request)
            let whole = ModelEntry(
                url: head.url, status: 200, fields: head.fields, body: part.body + body, sent: exchange.sent,
                came: exchange.came, varying: head.varying, standing: .possible)
            demote(entriesLike: whole)
            keep(whole)
            return whole
        }
    }
}
