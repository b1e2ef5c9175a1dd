import CalotypeTesting

/// An origin of a random history: representations that change, and answers with all fields that concern a cache. Equal strong
/// tags mean equal bytes; everything else it may get wrong.
struct HistoryOrigin {
    /// A resource that has its own habits.
    private struct Resource {
        var version = 0
        var modified: Double
        var vary: [String]
        var tagging: Tagging
        var status = 200
        var directives: [String] = []
    }

    private enum Tagging: CaseIterable { case strong, weak, none, dateAlone }

    private var random: SplitMix
    private var resources: [String: Resource] = [:]
    /// The representations by text; the position is the tag.
    private var known: [String: Int] = [:]
    private var serial = 0

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    private mutating func chance(_ percent: Int) -> Bool { random.number(below: 100) < percent }
    private mutating func pick<Value>(_ values: [Value]) -> Value { values[random.number(below: values.count)] }

    /// How long the exchange takes, in seconds; negative if a clock is set back meanwhile.
    mutating func delay() -> Double {
        if chance(80) { return 0 }
        return pick([0.25, 1, 1, 2.5, 30, -0.5, -3])
    }

    mutating func reply(to request: ModelRequest, at now: Double) -> ModelExchange.Reply {
        let habit = random.number(below: 100)
        if habit < 4 { return .unreachable }
        if habit < 6 { return .malformed }
        var resource = resources[request.url] ?? newResource(now)
        if chance(12) { change(&resource, now) }
        resources[request.url] = resource
        if habit < 11 { return failure(now) }
        guard request.method == "GET" || request.method == "HEAD" else { return changed(request, now) }
        if habit < 15, request.fields.has("if-none-match") || request.fields.has("if-modified-since") {
            return oddConfirmation(resource, request, now)
        }
        return read(request, resource, now, ignoresConditions: habit < 21, breaksOff: habit > 96)
    }

    // MARK: Resources

    private mutating func newResource(_ now: Double) -> Resource {
        var resource = Resource(
            modified: (now - pick([10, 100, 4000, 1_000_000])).rounded(.down), vary: [], tagging: pick(Tagging.allCases)
        )
        change(&resource, now)
        return resource
    }

    private mutating func change(_ resource: inout Resource, _ now: Double) {
        if chance(60) {
            resource.version += 1
            if chance(70) { resource.modified = (now - Double(pick([0, 1, 30, 70]))).rounded(.down) }
        }
        if chance(30) {
            resource.vary = pick([[], [], [], ["accept"], ["accept-language"], ["x-a"], ["accept", "x-a"], ["*"]])
        }
        if chance(20) { resource.tagging = pick(Tagging.allCases) }
        if chance(40) {
            resource.status = pick([200, 200, 200, 200, 200, 200, 404, 410, 301, 302, 203, 204, 299, 403, 451, 300])
        }
        if chance(60) { resource.directives = directives() }
    }

    private mutating func directives() -> [String] {
        var all: [String] = []
        if chance(60) {
            all.append("max-age=\(pick(["0", "1", "10", "60", "60", "600", "600", "\"60\"", "x", "99999999999"]))")
        }
        if chance(8) { all.append("max-age=\(pick([5, 300]))") }
        if chance(12) { all.append("s-maxage=\(pick([0, 20, 400]))") }
        if chance(8) { all.append(pick(["no-cache", "No-Cache", "no-cache=\"x-b\"", "no-cache=\"x-b, x-c\""])) }
        if chance(4) { all.append(pick(["no-store", "no-store, must-understand", "must-understand"])) }
        if chance(7) { all.append(pick(["private", "private=\"x-b\""])) }
        for (percent, name) in [(10, "public"), (6, "must-revalidate"), (4, "proxy-revalidate"), (5, "immutable")] {
            if chance(percent) { all.append(name) }
        }
        if chance(15) { all.append("stale-while-revalidate=\(pick([5, 60, 1000]))") }
        if chance(15) { all.append("stale-if-error=\(pick([5, 60, 1000]))") }
        if chance(5) { all.append("x-other=1") }
        return all.shuffled(using: &random)
    }

    /// The number of the representation that the request selects.
    private mutating func representation(_ resource: Resource, _ request: ModelRequest) -> Int {
        let values = resource.vary.map { "\($0)=\(request.fields.list($0) ?? "-")" }.joined(separator: "&")
        let text = "\(request.url) \(resource.version) \(resource.status) \(values)"
        if let number = known[text] { return number }
        known[text] = known.count + 1
        return known.count
    }

    private func body(_ number: Int) -> [UInt8] {
        let text = (0..<4).map { "<\(number)|\($0)>" }.joined()
        return Array(text.utf8.prefix(10 + number % 11))
    }

    private func tag(_ number: Int, _ tagging: Tagging) -> String? {
        switch tagging {
        case .strong: "\"t\(number)\""
        case .weak: "W/\"t\(number)\""
        case .none, .dateAlone: nil
        }
    }

    // MARK: Replies

    private mutating func head(_ resource: Resource, _ number: Int, _ now: Double) -> ModelFields {
        serial += 1
        var fields = ModelFields([("x-serial", "\(serial)"), ("x-b", "b\(serial)")])
        if !chance(6) { fields.add("date", chance(3) ? "yesterday" : ModelDate.text(now + skew())) }
        if !resource.directives.isEmpty {
            let half = chance(20) ? resource.directives.count / 2 : 0
            if half > 0 { fields.add("cache-control", resource.directives[..<half].joined(separator: ", ")) }
            fields.add("cache-control", resource.directives[half...].joined(separator: chance(50) ? ", " : ","))
        }
        if chance(10) { fields.add("age", pick(["0", "3", "50", "5000", "x", "7, 9"])) }
        if chance(15) {
            fields.add("expires", chance(25) ? "0" : ModelDate.text(now + Double(pick([-100, 0, 30, 500]))))
        }
        if chance(5) {
            fields.add("cdn-cache-control", pick(["max-age=30", "no-store", "private", "no-cache, max-age=5"]))
        }
        if !resource.vary.isEmpty { fields.add("vary", resource.vary.joined(separator: ", ")) }
        if let tag = tag(number, resource.tagging), !chance(5) { fields.add("etag", tag) }
        if resource.tagging != .none, !chance(15) { fields.add("last-modified", ModelDate.text(resource.modified)) }
        if chance(5) { fields.add("set-cookie", "s=\(serial)") }
        if chance(4) {
            fields.add("connection", "x-hop")
            fields.add("x-hop", "1")
        }
        if chance(40) { fields.add("accept-ranges", "bytes") }
        if chance(3) { fields.add("content-location", "/elsewhere") }
        return fields
    }

    private mutating func skew() -> Double { chance(90) ? 0 : pick([-400, -30, -2, 2, 40, 5000]) }

    private mutating func failure(_ now: Double) -> ModelExchange.Reply {
        serial += 1
        var fields = ModelFields([("x-serial", "\(serial)"), ("date", ModelDate.text(now))])
        if chance(20) { fields.add("cache-control", pick(["max-age=5", "no-store", "max-age=60, must-revalidate"])) }
        return .response(
            status: pick([500, 502, 503, 504, 501, 429]), fields: fields, body: Array("!\(serial)".utf8),
            isCutOff: false)
    }

    private mutating func changed(_ request: ModelRequest, _ now: Double) -> ModelExchange.Reply {
        let resource = resources[request.url] ?? newResource(now)
        var fields = head(resource, 0, now)
        fields.remove(["etag", "last-modified", "content-location"])
        if chance(20) { fields.add("location", pick(["http://origin.test/a", "/b", "http://other.test/a"])) }
        if chance(40) { fields.add("content-location", pick(["/a", "/b", "/c"])) }
        return .response(
            status: pick([200, 200, 201, 204, 303, 404, 500]), fields: fields, body: Array("?\(serial)".utf8),
            isCutOff: false)
    }

    /// A 304 that does not say what it should.
    private mutating func oddConfirmation(_ resource: Resource, _ request: ModelRequest, _ now: Double)
        -> ModelExchange.Reply
    {
        var fields = head(resource, 0, now)
        fields.remove(["etag", "last-modified", "content-location"])
        switch random.number(below: 4) {
        case 0: fields.add("etag", "\"unknown\"")
        case 1: fields.add("last-modified", ModelDate.text(now - 77))
        case 2: fields.add("etag", "\"t\(random.number(below: known.count + 1))\"")
        default: break
        }
        return .response(status: 304, fields: fields, body: [], isCutOff: false)
    }

    private mutating func read(
        _ request: ModelRequest, _ resource: Resource, _ now: Double, ignoresConditions: Bool, breaksOff: Bool
    ) -> ModelExchange.Reply {
        let number = representation(resource, request)
        var fields = head(resource, number, now)
        let body = resource.status == 204 ? [] : body(number)
        let tag = fields["etag"].map(ModelTag.init)
        if !ignoresConditions, resource.status == 200 {
            if let list = request.fields.list("if-match"), list != "*",
                !ModelTag.list(list).contains(where: { tag?.isStrongly($0) == true })
            {
                return .response(status: 412, fields: fields, body: [], isCutOff: false)
            }
            if isNotModified(request, tag, resource) {
                if chance(30) { fields.remove(["cache-control"]) }
                return .response(status: 304, fields: fields, body: [], isCutOff: false)
            }
            if request.method == "GET", let range = request.fields["range"], chance(85),
                mayBePart(request, tag), let reply = part(range, fields, body)
            {
                return reply
            }
        }
        if chance(70) { fields.add("content-length", "\(body.count)") }
        if request.method == "HEAD" {
            return .response(status: resource.status, fields: fields, body: [], isCutOff: false)
        }
        let isCutOff = breaksOff && body.count > 4
        return .response(
            status: resource.status, fields: fields, body: isCutOff ? Array(body[..<5]) : body, isCutOff: isCutOff)
    }

    private func isNotModified(_ request: ModelRequest, _ tag: ModelTag?, _ resource: Resource) -> Bool {
        if let list = request.fields.list("if-none-match") {
            return list == "*" || ModelTag.list(list).contains { tag?.isWeakly($0) == true }
        }
        guard let since = request.fields["if-modified-since"].flatMap(ModelDate.time) else { return false }
        return resource.tagging != .none && resource.modified <= since
    }

    private func mayBePart(_ request: ModelRequest, _ tag: ModelTag?) -> Bool {
        guard let condition = request.fields["if-range"] else { return true }
        return tag?.isStrongly(ModelTag(condition)) == true
    }

    private mutating func part(_ range: String, _ fields: ModelFields, _ body: [UInt8]) -> ModelExchange.Reply? {
        let ends = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard range.hasPrefix("bytes="), ends.count == 2, let first = Int(ends[0]) else { return nil }
        var fields = fields
        guard first < body.count else {
            fields.add("content-range", "bytes */\(body.count)")
            return .response(status: 416, fields: fields, body: [], isCutOff: false)
        }
        let last = min(body.count - 1, Int(ends[1]) ?? body.count)
        guard first <= last else { return nil }
        let total = chance(90) ? "\(body.count)" : "*"
        fields.add("content-range", "bytes \(first)-\(last)/\(total)")
        if chance(80) { fields.add("content-length", "\(last - first + 1)") }
        return .response(status: 206, fields: fields, body: Array(body[first...last]), isCutOff: false)
    }
}
