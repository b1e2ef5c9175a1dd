/// One step of a history, judged by the model.
struct HistoryCheck {
    struct Claim: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }

    let request: ModelRequest
    let start: Double
    /// The exchanges that the answer waited for.
    let exchanges: [ModelExchange]
    /// The exchanges of a revalidation that the answer did not wait for (RFC 5861 §3).
    let background: [ModelExchange]?
    let result: HistoryResult
    /// The response that needed no exchange.
    let promised: ModelEntry?
    /// The stale response that our documents promise after the last exchange, by what the cache had before.
    var owed: ModelEntry?

    private var end: Double { exchanges.last?.came ?? start }

    // MARK: The requests to the origin

    /// Checks that the origin was asked only if it had to be, and with the right conditions (§4.3.1).
    func conditions(_ model: CacheModel) throws {
        if promised != nil, !exchanges.isEmpty { throw Claim("a fresh response was not used") }
        if background?.isEmpty == true { throw Claim("a stale response was served and not revalidated") }
        if exchanges.count > 2 { throw Claim("the origin was asked \(exchanges.count) times") }
        for (index, exchange) in exchanges.enumerated() { try check(exchange, isRepeated: index > 0, model) }
    }

    private func check(_ exchange: ModelExchange, isRepeated: Bool, _ model: CacheModel) throws {
        let sent = exchange.request
        guard sent.method == request.method, sent.url == request.url else { throw Claim("another request was sent") }
        let own: Set<String> = ["if-none-match", "if-modified-since", "range", "if-range"]
        guard sent.fields.without(own).says(request.fields.without(own)) else {
            throw Claim("fields of the client are lost")
        }
        if isRepeated {
            guard sent.fields.says(request.fields) else { throw Claim("the second request is not the client's") }
            return
        }
        let known = model.known(request.url)
        try checkTags(sent, known)
        if let since = sent.fields["if-modified-since"], since != request.fields["if-modified-since"],
            !known.contains(where: { $0.fields["last-modified"] == since && model.matches($0, request) })
        {
            throw Claim("If-Modified-Since is of no stored response")
        }
        if sent.fields["range"] != request.fields["range"] { try checkRest(sent, known, model) }
        try checkValidator(sent, model)
    }

    private func checkTags(_ sent: ModelRequest, _ known: [ModelEntry]) throws {
        let tags = Set(ModelTag.list(sent.fields.list("if-none-match") ?? ""))
        let clients = Set(ModelTag.list(request.fields.list("if-none-match") ?? ""))
        let strange = tags.subtracting(clients).filter { tag in !known.contains { $0.tag == tag } }
        if !strange.isEmpty { throw Claim("tags of no stored response were sent: \(strange)") }
        if clients != [ModelTag("*")], !clients.isSubset(of: tags) { throw Claim("the client's tags were not sent") }
    }

    /// §3.3, §3.4.
    private func checkRest(_ sent: ModelRequest, _ known: [ModelEntry], _ model: CacheModel) throws {
        let isRest = known.contains { entry in
            entry.part.map { sent.fields["range"] == "bytes=\($0.upperBound)-" && $0.lowerBound == 0 } == true
                && entry.tag?.isWeak == false && sent.fields["if-range"] == entry.fields["etag"]
                && model.matches(entry, request)
        }
        if !isRest { throw Claim("the range is not the rest of a stored part") }
    }

    /// §4.3.1: the validators of the response that is validated must be sent.
    private func checkValidator(_ sent: ModelRequest, _ model: CacheModel) throws {
        guard request.method == "GET", !request.isForOrigin, !request.directives.has("no-store") else { return }
        let choices = model.known(request.url).filter { model.matches($0, request) }
        guard choices.count == 1, let only = choices.first, only.standing == .promised, model.holds(only, request)
        else {
            return
        }
        if let tag = only.tag, !ModelTag.list(sent.fields.list("if-none-match") ?? "").contains(tag) {
            throw Claim("the tag of the stored response was not sent")
        }
        if let date = only.fields["last-modified"], only.lastModified != nil, sent.fields["if-modified-since"] != date {
            throw Claim("the date of the stored response was not sent")
        }
    }

    // MARK: The answer

    /// Checks that the model permits the answer.
    ///
    /// - Parameter updated: The stored responses that the last exchange has updated or completed.
    /// - Returns: The kind of answer.
    func answer(_ model: CacheModel, _ updated: [ModelEntry]) throws -> String {
        if result.failure != nil { return try failed() }
        if exchanges.isEmpty, result.code == 504, !result.fields.has("x-serial") { return try onlyIfCached() }
        if let kind = stored(model, updated) { return kind }
        guard let last = exchanges.last else { throw Claim("a stored response that must not be used") }
        try passed(last, model)
        return "network \(request.method == "GET" ? "\(last.status ?? 0)" : request.method)"
    }

    private func failed() throws -> String {
        guard let last = exchanges.last else { throw Claim("a failure without an exchange") }
        guard last.status == nil || last.isUnasked else { throw Claim("a failure after a response") }
        if let owed { throw Claim("a stale response was not used: \(owed.fields)") }
        return "failure"
    }

    private func onlyIfCached() throws -> String {
        guard request.directives.has("only-if-cached"), promised == nil else { throw Claim("a 504 without a reason") }
        return "504"
    }

    /// Returns the kind of the stored response that gives this answer, or `nil` if none that is permitted does.
    private func stored(_ model: CacheModel, _ updated: [ModelEntry]) -> String? {
        if exchanges.last?.status == 206 {
            if updated.contains(where: isWhole) { return "completed" }
        } else if updated.contains(where: { gives($0, model, isValidated: true) }) {
            return "validated \(result.code)"
        }
        let origin = exchanges.last?.outcome ?? .notAsked
        for entry in model.suitable(request) {
            guard let reuse = model.reuse(entry, for: request, at: end, origin), !model.isOutdone(entry, for: request),
                gives(entry, model, isValidated: false)
            else { continue }
            let isRevalidated = background != nil || request.directives.has("only-if-cached")
            if reuse == .whileRevalidating, !isRevalidated { continue }
            return "\(reuse.rawValue) \(result.code)"
        }
        return nil
    }

    /// Whether the answer is the whole that a stored part and the rest make. It is new, and has the Age of the rest alone.
    private func isWhole(_ entry: ModelEntry) -> Bool {
        var fields = entry.fields
        fields.set("content-length", "\(entry.body.count)")
        return result.code == 200 && result.body == entry.body
            && ownFields.without(["set-cookie"]).says(fields.without(["set-cookie"]))
    }

    /// The fields of the answer without the cookie of a validation, which is its client's, and of nobody else (§7.3).
    private var ownFields: ModelFields {
        var fields = result.fields
        let cookies = Set(exchanges.last?.fields.all("set-cookie") ?? [])
        fields.lines.removeAll { $0.name == "set-cookie" && cookies.contains($0.value) }
        return fields
    }

    private func gives(_ entry: ModelEntry, _ model: CacheModel, isValidated: Bool) -> Bool {
        if let serial = result.fields["x-serial"], serial != entry.fields["x-serial"] { return false }
        let answer = model.answer(request, from: entry, isValidated: isValidated, at: end)
        guard result.code == answer.status, result.body == answer.body else { return false }
        return (isValidated && model.isShared ? ownFields : result.fields).says(answer.fields)
    }

    /// Checks the origin's own response.
    private func passed(_ last: ModelExchange, _ model: CacheModel) throws {
        guard case .response(let status, let fields, let body, let isCutOff) = last.reply else {
            throw Claim("a stored response that must not be used after a failure")
        }
        let isItself = result.code == status && result.fields.says(fields) && result.isCutOff == isCutOff
        guard isItself, isCutOff || request.method == "HEAD" || result.body == body else {
            throw Claim("neither the origin's response nor a stored one that may be used")
        }
        if status == 304, !isForClient(last) { throw Claim("a 304 that answers none of the client's conditions") }
        if let owed { throw Claim("a stale response was not used in place of a \(status): \(owed.fields)") }
    }

    /// §4.3.2, §4.3.4.
    private func isForClient(_ last: ModelExchange) -> Bool {
        if last.request.fields.says(request.fields) { return true }
        if let list = request.fields.list("if-none-match") {
            guard let tag = last.fields["etag"].map(ModelTag.init) else { return true }
            return list == "*" || ModelTag.list(list).contains { $0.isWeakly(tag) } || request.isForOrigin
        }
        return request.fields.has("if-modified-since") || request.isForOrigin
    }
}
