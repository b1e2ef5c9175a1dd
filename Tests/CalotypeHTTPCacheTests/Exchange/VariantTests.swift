import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Requirements
import Testing

@testable import CalotypeHTTPCache

/// RFC 9111 §4.1: many variants of one URL, in stores of all kinds.
@Suite struct `Variants of a URL` {
    private let origin: OriginServer
    private let clock = ManualClock()

    init() throws { origin = try OriginServer() }

    private var date: ByteString { HTTPDate.format(clock.wall.now) }
    private var key: ByteString { ByteString(origin.url("/a").absoluteString) }

    /// Answers with the value of Accept, and varies by it.
    private func serveVariants() {
        origin.on("/a") { [date] request in
            .text(request.fields["Accept"]?.string ?? "-", cache: "max-age=600", date: date, ["Vary": "Accept"])
        }
    }

    private func options(_ limit: Int?) -> HTTPCacheOptions {
        var options = HTTPCacheOptions()
        if let limit { options.variantLimit = limit }
        return options
    }

    private func harness(_ limit: Int? = nil, _ rules: CacheRules = .shared) throws -> CacheHarness {
        try CacheHarness(rules, origin: origin, clock: clock, options: options(limit))
    }

    private func value(_ number: Int) -> ByteString { "image/x\(number)" }

    private func text(_ number: Int, _ cache: CacheHarness) async throws -> String {
        try await cache.text("/a", ["Accept": value(number)])
    }

    @Test func `64 variants are hits after the first round, also at once and for their ETag`() async throws {
        origin.on("/a") { [date] request in
            let value = request.fields["Accept"] ?? "-"
            return .text(
                value.string, cache: "max-age=600", tag: "\"\(value)\"", date: date, ["Vary": "Accept"])
        }
        let cache = try harness()
        for _ in 0..<5 {
            for number in 0..<64 { #expect(try await text(number, cache) == value(number).string) }
        }
        #expect(origin.requestCount() == 64)
        for number in 0..<64 {
            let request = cache.request("/a", ["Accept": value(number)])
            for _ in 0..<2 {
                let response = try #require(cache.cache.immediateAnswer(to: request))
                #expect(try await response.body.collect() == Data(value(number).string.utf8))
            }
            var conditional = request
            conditional.fields["If-None-Match"] = "\"\(value(number))\""
            for _ in 0..<2 { #expect(cache.cache.immediateAnswer(to: conditional)?.status == 304) }
            conditional.fields["If-None-Match"] = "\"another\""
            #expect(cache.cache.immediateAnswer(to: conditional)?.status == 200)
        }
        #expect(cache.cache.immediateAnswer(to: cache.request("/a", ["Accept": "image/other"])) == nil)
    }

    @Test(arguments: [1, 2, 3, 64]) func `the least recently used variant makes room`(limit: Int) async throws {
        serveVariants()
        let cache = try harness(limit)
        for number in 0..<limit { _ = try await text(number, cache) }
        // All are used again, the first one last.
        for number in (0..<limit).reversed() { _ = try await text(number, cache) }
        #expect(origin.requestCount() == limit)
        _ = try await text(limit, cache)
        let stored = try #require(cache.store.immediateVariants(of: key))
        #expect(stored.count == limit)
        for number in [limit] + (0..<(limit - 1)) { _ = try await text(number, cache) }
        #expect(origin.requestCount() == limit + 1)
        _ = try await text(limit - 1, cache)
        #expect(origin.requestCount() == limit + 2)
    }

    @Test(arguments: [0, -1]) func `a limit below 1 counts as 1`(limit: Int) async throws {
        serveVariants()
        let cache = try harness(limit)
        for number in [1, 1, 2, 2, 1] { #expect(try await text(number, cache) == value(number).string) }
        #expect(origin.requestCount() == 3 && cache.store.immediateVariants(of: key)?.count == 1)
    }

    @Test func `a store of a program is told which variants to remove, and keeps none that no request finds`()
        async throws
    {
        serveVariants()
        let store = OwnStore()
        func text(_ number: Int, limit: Int) async throws {
            let cache = HTTPCache(rules: .shared, store: store, options: options(limit), wallClock: clock.wall)
            let request = HTTPRequest(origin.url("/a"), fields: ["Accept": value(number)])
            #expect(try await Answer(CurlTransport().cached(in: cache).send(request)).text == value(number).string)
        }
        for number in 0..<20 {
            try await text(number, limit: 20)
            clock.advance(by: .seconds(1))
        }
        #expect(store.stored(key).count == 20)
        // A lower limit, without a record of the uses: the latest responses stay.
        try await text(19, limit: 4)
        #expect(Set(store.stored(key).compactMap { $0.head.varying.first?.value }) == Set((16..<20).map(value)))
        try await text(3, limit: 4)
        #expect(Set(store.stored(key).compactMap { $0.head.varying.first?.value }) == Set(([3] + (17..<20)).map(value)))
        #expect(origin.requestCount() == 21)
    }

    @Test func `variants beyond the memory of one URL make room for new ones, which stay`() async throws {
        let body = String(repeating: "x", count: 30_000)
        origin.on("/a") { [date] _ in .text(body, cache: "max-age=600", date: date, ["Vary": "Accept"]) }
        let cache = try CacheHarness(
            .shared, origin: origin, clock: clock, store: MemoryHTTPCacheStore(byteLimit: 100_000))
        for number in 0..<5 {
            _ = try await text(number, cache)
            _ = try await text(number, cache)
        }
        #expect(origin.requestCount() == 5)
        #expect(cache.store.byteCount > 50_000 && cache.store.byteCount <= 100_000)
    }

    // MARK: Validation

    /// Answers the requests one after the other.
    private func serve(_ replies: [(status: Int, tag: ByteString, vary: ByteString?)]) {
        let rest = Locked(replies[...])
        origin.on("/a") { [clock] _ in
            guard let (status, tag, vary) = rest.withLock({ $0.popFirst() }) else { return .status(500) }
            var fields: HTTPFields = ["ETag": "\"\(tag)\"", "Date": HTTPDate.format(clock.wall.now)]
            fields["Cache-Control"] = "max-age=60"
            fields["Vary"] = vary
            return OriginReply(status: status, fields: fields, body: Data(status == 304 ? [] : tag.bytes))
        }
    }

    private func varying(in cache: CacheHarness) -> [[VaryingField]]? {
        cache.store.immediateVariants(of: key)?.map(\.head.varying)
    }

    @Test(.requirement("RFC 9111 §4.1")) func `a 304 that adds or drops Vary moves the response`() async throws {
        serve([(200, "one", "Accept"), (304, "one", "Accept, X-Other"), (304, "one", nil), (200, "two", "X-Other")])
        let cache = try harness()
        #expect(try await text(1, cache) == "one")
        clock.advance(by: .seconds(100))
        for _ in 0..<2 { #expect(try await text(1, cache) == "one") }
        let moved = VaryingField(name: "x-other", value: nil)
        #expect(varying(in: cache) == [[VaryingField(name: "accept", value: value(1)), moved]])
        clock.advance(by: .seconds(100))
        // Without Vary in a 304, that of the stored response stays (§3.2).
        #expect(try await text(1, cache) == "one")
        #expect(varying(in: cache) == [[VaryingField(name: "accept", value: value(1)), moved]])
        #expect(origin.requestCount() == 3)
        #expect(try await cache.text("/a", ["Accept": value(1), "X-Other": "1"]) == "two")
        #expect(varying(in: cache)?.count == 2)
    }

    @Test(.requirement("RFC 9111 §4.1"))
    func `a 304 that moves a response to the values of another one replaces that`() async throws {
        serve([(200, "one", "X-Other"), (200, "two", "Accept"), (304, "two", "X-Other")])
        let cache = try harness()
        for (text, count) in [("one", 1), ("two", 2), ("two", 1)] {
            #expect(try await self.text(1, cache) == text)
            #expect(varying(in: cache)?.count == count)
            clock.advance(by: .seconds(100))
        }
        #expect(varying(in: cache) == [[VaryingField(name: "x-other", value: nil)]])
        #expect(origin.requestCount() == 3)
    }

    @Test(.requirement("RFC 9111 §4.3.4"))
    func `a response that a 304 selects for other values answers them from then on`() async throws {
        origin.on("/a") { [date] request in
            let fields: HTTPFields = ["ETag": "\"1\"", "Vary": "Accept", "Cache-Control": "max-age=60", "Date": date]
            return request.fields["If-None-Match"] == "\"1\""
                ? OriginReply(status: 304, fields: fields)
                : OriginReply(status: 200, fields: fields, body: Data("one".utf8))
        }
        let cache = try harness()
        for _ in 0..<3 {
            for number in 0..<20 { #expect(try await text(number, cache) == "one") }
        }
        #expect(origin.requestCount() == 20)
        #expect(origin.requests.filter { $0.fields["If-None-Match"] == nil }.count == 1)
    }

    static let lengths = [(10, 64), (100, 40), (5_000, 1)]

    // Servers refuse requests with long fields.
    @Test(arguments: lengths) func `a request without a variant has the newest tags, at most 4 KiB`(
        _ length: Int, _ count: Int
    ) throws {
        let variants = try (0..<64).map { number in
            let tag = "\"\(number)\(String(repeating: "x", count: length - 2 - "\(number)".count))\""
            return try stored(
                ["Cache-Control": "max-age=60", "Vary": "Foo", "ETag": ByteString(tag), "Date": "@\(number)"],
                first: ["Foo": "\(number)"])
        }
        let request = try get(["Foo": "other"])
        guard case .validate(let validation, .varyMiss) = rules.decide(request, variants: variants, now: noon) else {
            Issue.record("no validation")
            return
        }
        let tags = FieldList.members(try #require(validation.fields["If-None-Match"]))
        #expect(tags.count == count && validation.candidates.count == count && validation.candidates.contains(63))
    }

    private let rules = CacheRules(.shared)
}
