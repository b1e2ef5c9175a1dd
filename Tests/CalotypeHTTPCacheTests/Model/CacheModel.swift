/// RFC 9111 as a program that stores everything and decides from lists of responses. It shares no code with the cache.
///
/// Its answers are sets: the responses that a cache may give. ``promisedHit(_:at:)`` is what our documents promise beyond.
struct CacheModel {
    let isShared: Bool
    /// The numbers that the RFCs leave open.
    var heuristicFraction = 0.1
    var heuristicLimit = 86_400.0
    var defaultLifetime = 0.0
    var negativeLifetime = 0.0
    var staleIfUnreachable: Double? = 86_400

    /// All responses that a cache may have stored, by URL, in the order of their arrival.
    private var entries: [String: [ModelEntry]] = [:]
    private(set) var uses: [ModelChoice: Int] = [:]

    init(isShared: Bool) { self.isShared = isShared }

    mutating func note(_ choice: ModelChoice) { uses[choice, default: 0] += 1 }

    /// The responses that the cache may still have, the latest first.
    func known(_ url: String) -> [ModelEntry] {
        (entries[url] ?? []).reversed().filter { $0.standing != .gone }
    }

    /// An update that is not certain leaves the response that it updates. Each would double their number if equal ones stayed.
    mutating func keep(_ entry: ModelEntry) {
        if entry.standing == .possible, known(like: entry).contains(where: entry.isSame(as:)) { return }
        entries[entry.url, default: []].append(entry)
    }

    /// Those of them that have the same values in the same fields of Vary.
    func known(like entry: ModelEntry) -> [ModelEntry] { known(entry.url).filter { $0.varying == entry.varying } }

    // MARK: Receiving (§3, §4.3.3 to §4.4)

    /// Takes a response of the origin, and returns the stored responses that it updates.
    ///
    /// - Parameters:
    ///   - client: The request without the cache's own conditions.
    @discardableResult
    mutating func receive(_ exchange: ModelExchange, for client: ModelRequest) -> [ModelEntry] {
        guard let status = exchange.status else { return [] }
        invalidate(exchange, status)
        if status == 304 { return validated(exchange, client) }
        if client.method == "HEAD", status == 200 { freshen(exchange, client) }
        let wholes = completed(exchange, client)
        if !wholes.isEmpty { return wholes }
        add(exchange, status, client)
        return []
    }

    /// §4.4.
    mutating func invalidate(_ exchange: ModelExchange, _ status: Int) {
        guard !exchange.request.isSafe, (200..<400).contains(status) else { return }
        let own = exchange.request.url
        let origin = own.split(separator: "/").prefix(2).joined(separator: "//")
        for url in [own] + ["location", "content-location"].compactMap({ exchange.fields[$0] }) {
            let whole = url.hasPrefix("/") ? origin + url : url
            for entry in known(whole) { entry.standing = .gone }
        }
    }

    /// §3, §3.3.
    mutating func add(_ exchange: ModelExchange, _ status: Int, _ client: ModelRequest) {
        guard case .response(_, var fields, let body, let isCutOff) = exchange.reply else { return }
        let part = status == 206 ? fields["content-range"].flatMap(contentRange) : nil
        if status == 206, part == nil || part?.range.count != body.count { return }
        let announced = fields["content-length"].flatMap { Int($0) }
        fields.remove(connectionFields(fields))
        let directives = directives(fields)
        if isShared { fields.remove(directives.fields("private")) }
        if status == 206 { fields.remove(["content-range", "content-length"]) }
        if status == 206, isShared { fields.remove(["set-cookie"]) }
        if !fields.has("date") { fields.add("date", ModelDate.text(exchange.came)) }
        let entry = ModelEntry(
            url: exchange.request.url, status: status == 206 ? 200 : status, fields: fields, body: body,
            part: isCutOff ? 0..<body.count : part.flatMap { $0.range.count == $0.length ? nil : $0.range },
            length: isCutOff ? announced : part?.length, sent: exchange.sent, came: exchange.came,
            varying: varying(fields, exchange.request), standing: .possible)
        guard mayStore(entry, exchange, status) else { return }
        if isCutOff, announced == nil || entry.tag?.isWeak != false || body.isEmpty { return }
        // RFC 5861 §4: a failure takes the place of no response that is served for it.
        let failure = Origin.failed(status: status)
        if promisedStale(client, at: exchange.came, failure) != nil { return }
        let mayYield = mayBeStale(client, at: exchange.came, failure)
        let isPromised = entry.isWhole && status != 206 && !mayYield && isPromised(entry, exchange)
        entry.standing = isPromised ? .promised : .possible
        for other in known(like: entry) {
            if isPromised { other.standing = .gone }
            // A part takes the place of no whole response, but a download that breaks off does.
            if other.standing == .promised, status != 206 { other.standing = .possible }
        }
        keep(entry)
    }

    /// §3.1; RFC 9110 §7.6.1. Fields that control the cache stay.
    func connectionFields(_ fields: ModelFields) -> Set<String> {
        let named = (fields.list("connection") ?? "").split(separator: ",").map { String($0).trimmed.lowercased() }
        let control: Set<String> = ["cache-control", "cdn-cache-control", "vary", "age", "date", "expires"]
        return Set(named).subtracting(control).union(["connection"])
    }

    func contentRange(_ text: String) -> (range: Range<Int>, length: Int?)? {
        let numbers = text.split(whereSeparator: { " -/".contains($0) })
        guard numbers.count == 4, let first = Int(numbers[1]), let last = Int(numbers[2]), first <= last else {
            return nil
        }
        return (first..<(last + 1), Int(numbers[3]))
    }
}

enum ModelStatus {
    /// RFC 9110 §15.1; 451 by RFC 7725 §3.
    static let heuristic: Set<Int> = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 451, 501]
    /// Those of RFC 9110 that the histories have, for must-understand (§5.2.2.3).
    static let understood = heuristic.union([302, 303, 307, 400, 403, 500, 502, 503, 504])
}
