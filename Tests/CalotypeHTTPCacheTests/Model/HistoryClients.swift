import CalotypeTesting

/// The clients of a random history.
struct HistoryClients {
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    private mutating func chance(_ percent: Int) -> Bool { random.number(below: 100) < percent }
    private mutating func pick<Value>(_ values: [Value]) -> Value { values[random.number(below: values.count)] }

    /// The seconds until the next request.
    mutating func pause() -> Double {
        switch random.number(below: 100) {
        case ..<45: 0
        case ..<90: pick([0.25, 0.75, 1, 2, 5, 9, 20, 50])
        case ..<96: pick([200, 700, 5000])
        case ..<97: pick([80_000, 100_000])
        default: pick([-0.5, -1, -2, -20, -300])
        }
    }

    /// - Parameter tags: Tags that the origin has sent.
    mutating func request(_ tags: [String], at now: Double) -> ModelRequest {
        let url = "http://origin.test/" + pick(["a", "a", "a", "b", "b", "c"])
        var fields = ModelFields()
        if chance(60) { fields.add("accept", pick(["image/webp", "image/avif, image/webp", "image/webp,image/avif"])) }
        if chance(40) { fields.add("accept-language", pick(["en", "EN", "de, en", "en,de"])) }
        if chance(40) { fields.add("x-a", pick(["1", "2", "1, 2", "1,2"])) }
        if chance(7) { fields.add("authorization", pick(["one", "two"])) }
        if chance(22) { fields.add("cache-control", directives()) }
        let method = pick(
            Array(repeating: "GET", count: 40) + [
                "HEAD", "HEAD", "HEAD", "HEAD", "POST", "POST", "PUT", "DELETE", "OPTIONS",
            ])
        if method == "GET" || method == "HEAD" { condition(&fields, tags, now) }
        return ModelRequest(method: method, url: url, fields: fields)
    }

    private mutating func directives() -> String {
        var all: [String] = []
        repeat {
            all.append(
                pick([
                    "no-cache", "no-store", "max-age=0", "max-age=5", "max-age=100", "max-age=x", "max-stale",
                    "max-stale=10", "max-stale=1000", "max-stale=x", "min-fresh=5", "min-fresh=100", "only-if-cached",
                    "stale-if-error=100", "x-other",
                ]))
        } while chance(30)
        return all.joined(separator: ", ")
    }

    private mutating func condition(_ fields: inout ModelFields, _ tags: [String], _ now: Double) {
        func date(_ offset: Double) -> String { ModelDate.text(now + offset) }
        let tag = tags.isEmpty ? "\"none\"" : pick(Array(tags.suffix(6)))
        switch random.number(below: 100) {
        case ..<8: fields.add("if-none-match", pick([tag, "\(tag), \"other\"", "\"other\"", "*"]))
        case ..<12: fields.add("if-modified-since", pick([date(0), date(-50), date(-5000), "x"]))
        case ..<14: fields.add("if-match", pick([tag, "*"]))
        case ..<15: fields.add("if-unmodified-since", date(-50))
        case ..<27:
            fields.add(
                "range",
                pick([
                    "bytes=0-4", "bytes=0-3", "bytes=2-5", "bytes=5-", "bytes=-3", "bytes=90-", "bytes=0-1,3-4", "x=1",
                ]))
            if chance(30) { fields.add("if-range", pick([tag, date(-100), "\"other\""])) }
            if chance(10) { fields.add("if-none-match", tag) }
        default: break
        }
    }
}
