import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTesting
import Foundation
import Testing

@Suite struct `An HTTP cache on the disk` {
    let folder = TemporaryFolder()
    let clock = ManualClock()
    let origin: OriginServer

    init() throws { origin = try OriginServer() }

    private func cache(memory: Int = 0) -> DiskCacheHarness {
        DiskCacheHarness(in: folder, clock: clock, memory: memory)
    }

    @Test func `answers after a restart, and confirms what is stale without loading it again`() async throws {
        let clock = clock
        origin.on("/a") { request in
            request.fields["If-None-Match"] == "\"1\""
                ? OriginReply(status: 304, fields: ["ETag": "\"1\"", "Cache-Control": "max-age=500"])
                : .fresh("one", clock)
        }
        let url = origin.url("/a")
        let first = cache()
        #expect(try await first.text(url) == "network: one")
        try await first.disk.close()
        #expect(try await cache().text(url) == "fresh: one")
        clock.advance(by: .seconds(100))
        let third = cache()
        #expect(try await third.text(url) == "revalidated: one")
        try await third.disk.close()
        #expect(try await cache().text(url) == "fresh: one")
        #expect(origin.requestCount() == 2)
    }

    @Test func `takes one read for a hit on a URL with one variant`() async throws {
        origin.on("/a", .fresh("one", clock))
        let cache = cache()
        _ = try await cache.get(origin.url("/a"))
        let before = try await cache.disk.statistics()
        #expect(try await cache.text(origin.url("/a")) == "fresh: one")
        let after = try await cache.disk.statistics()
        #expect(after.hits + after.misses == before.hits + before.misses + 1)
        #expect(after.entries == 1)
    }

    /// A response in one language, of 3 bytes.
    private func variant(_ language: ByteString) -> StoredVariant {
        let head = StoredResponse(
            url: "http://a.example/", status: 200, fields: ["ETag": "\"1\"", "Vary": "Accept-Language"],
            requestTime: 0, responseTime: 0, varying: [VaryingField(name: "accept-language", value: language)],
            bodyLength: 3)
        return StoredVariant(head: head, body: Data("one".utf8))
    }

    @Test(.timeLimit(.minutes(1))) func `takes no second read for a confirmation`() async throws {
        let cache = cache()
        let key: ByteString = "http://a.example/"
        try await cache.store.store(variant("de"), for: key, replacing: [])
        try await cache.disk.flush()
        let found = try await cache.store.variants(of: key)
        let gate = Gate()
        let readers = (0..<2).map { _ in
            Task { [disk = cache.disk] in
                try await disk.readerThreads.run { () throws(StoreError) in gate.waitBlocking() }
            }
        }
        await gate.waitForWaiters(2)
        try await cache.store.update(found, for: key)
        gate.open()
        for reader in readers { try await reader.value }
    }

    @Test func `keeps a variant that is stored between a look-up and its confirmation`() async throws {
        let store = cache().store
        let key: ByteString = "http://a.example/"
        let variants = [variant("de"), variant("en")]
        try await store.store(variants[0], for: key, replacing: [])
        let found = try await store.variants(of: key)
        try await store.store(variants[1], for: key, replacing: [])
        try await store.update(found, for: key)
        #expect(try await store.variants(of: key).map(\.id) == variants.map(\.id))
    }

    @Test func `takes no read for what its memory has`() async throws {
        origin.on("/a", .fresh("one", clock))
        let cache = cache(memory: 1 << 20)
        _ = try await cache.get(origin.url("/a"))
        let before = try await cache.disk.statistics()
        #expect(try await cache.text(origin.url("/a")) == "fresh: one")
        #expect(cache.cache.immediateAnswer(to: HTTPRequest(origin.url("/a"))) != nil)
        let after = try await cache.disk.statistics()
        #expect(after.hits + after.misses == before.hits + before.misses)
    }

    @Test func `notes a response that its memory answers as used, once an hour`() async throws {
        for path in ["/a", "/b"] { origin.on(path, .fresh(path, for: 100_000, clock)) }
        let cache = cache(memory: 1 << 20)
        for path in ["/a", "/b"] { _ = try await cache.get(origin.url(path)) }
        func lastUses() async throws -> [Double] {
            try await cache.disk.flush()
            let entries = try await cache.disk.list()
            return try ["/a", "/b"].map { path in try #require(entries.first { $0.key.string.hasSuffix(path) }).lastUsed
            }
        }
        clock.advance(by: .seconds(7200))
        #expect(cache.cache.immediateAnswer(to: HTTPRequest(origin.url("/a"))) != nil)
        let first = try await lastUses()
        #expect(first[0] >= first[1] + 7000)
        clock.advance(by: .seconds(3000))
        #expect(cache.cache.immediateAnswer(to: HTTPRequest(origin.url("/a"))) != nil)
        #expect(try await lastUses() == first)
        clock.advance(by: .seconds(1000))
        #expect(cache.cache.immediateAnswer(to: HTTPRequest(origin.url("/a"))) != nil)
        #expect(try await lastUses()[0] >= first[0] + 3600)
    }

    @Test(arguments: [0, 1 << 20])
    func `keeps 64 variants over a restart, and removes the least recently used one`(memory: Int) async throws {
        let clock = clock
        origin.on("/a") { request in
            .fresh("\(request.fields["Accept"] ?? "-")", for: 10_000, clock, ["Vary": "Accept"])
        }
        let url = origin.url("/a")
        let key = ByteString(url.absoluteString)
        func text(_ number: Int, _ cache: DiskCacheHarness) async throws -> String {
            try await cache.text(url, ["Accept": "image/x\(number)"])
        }
        let first = cache(memory: memory)
        for number in 0..<64 {
            #expect(try await text(number, first) == "network: image/x\(number)")
            clock.advance(by: .seconds(1))
        }
        try await first.disk.close()
        let second = cache(memory: memory)
        for number in (0..<64).reversed() { #expect(try await text(number, second) == "fresh: image/x\(number)") }
        #expect(origin.requestCount() == 64)
        #expect(try await text(64, second) == "network: image/x64")
        #expect(try await second.store.variants(of: key).count == 64)
        #expect(try await second.disk.statistics().entries == 64)
        // The first variant, whose body is that of the page, is the next.
        for number in Array(1..<63) + [64, 65] { _ = try await text(number, second) }
        #expect(origin.requestCount() == 66)
        try await second.disk.close()
        let third = cache(memory: memory)
        for number in Array(1..<63) + [64, 65] {
            #expect(try await text(number, third) == "fresh: image/x\(number)")
        }
        #expect(try await third.disk.statistics().entries == 64)
        #expect(second.allProblems.isEmpty && third.allProblems.isEmpty)
    }

    @Test(arguments: [0, 1 << 20])
    func `keeps variants apart, over restarts, and removes them together`(memory: Int) async throws {
        let clock = clock
        origin.on("/a") { request in
            .fresh("in \(request.fields["Accept-Language"] ?? "-")", clock, ["Vary": "Accept-Language"])
        }
        let url = origin.url("/a")
        let first = cache(memory: memory)
        let languages = ["de", "fr", "en"]
        for language in languages {
            #expect(try await first.text(url, ["Accept-Language": ByteString(language)]) == "network: in \(language)")
        }
        for language in languages {
            #expect(try await first.text(url, ["Accept-Language": ByteString(language)]) == "fresh: in \(language)")
        }
        try await first.disk.close()
        let second = cache(memory: memory)
        for language in languages.reversed() {
            #expect(try await second.text(url, ["Accept-Language": ByteString(language)]) == "fresh: in \(language)")
        }
        #expect(try await second.disk.statistics().entries == 3)
        _ = try await second.transport.send(HTTPRequest(url, method: .delete))
        #expect(try await second.disk.statistics().entries == 0)
        #expect(second.allProblems.isEmpty)
    }

    @Test func `replaces any one of its variants`() async throws {
        let clock = clock
        let generation = Locked(1)
        origin.on("/a") { request in
            .fresh(
                "\(request.fields["X"] ?? "-") \(generation.withLock { $0 })", for: 10,
                tag: "\"\(generation.withLock { $0 })\"", clock,
                ["Vary": "X"])
        }
        let url = origin.url("/a")
        let cache = cache()
        for kind in ["a", "b", "c"] { _ = try await cache.get(url, ["X": ByteString(kind)]) }
        for kind in ["a", "c", "b", "a"] {
            clock.advance(by: .seconds(20))
            generation.withLock { $0 += 1 }
            let number = generation.withLock { $0 }
            #expect(try await cache.text(url, ["X": ByteString(kind)]) == "network: \(kind) \(number)")
            #expect(try await cache.text(url, ["X": ByteString(kind)]) == "fresh: \(kind) \(number)")
        }
        #expect(try await cache.disk.statistics().entries == 3)
    }

    @Test func `bounds the variants of a URL`() async throws {
        let clock = clock
        origin.on("/a") { .fresh($0.fields["X"]?.string ?? "-", clock, ["Vary": "X"]) }
        let cache = cache()
        for number in 0..<80 {
            #expect(try await cache.text(origin.url("/a"), ["X": "\(number)"]) == "network: \(number)")
        }
        #expect(try await cache.disk.statistics().entries == 64)
        #expect(try await cache.text(origin.url("/a"), ["X": "79"]) == "fresh: 79")
    }

    @Test func `removes what it cannot read, says so, and loads again`() async throws {
        origin.on("/a", .fresh("one", clock))
        let cache = cache()
        let url = origin.url("/a")
        _ = try await cache.get(url)
        let key = "http\n" + url.absoluteString
        let entry = try #require(try await cache.disk.entry(for: ByteString(key)))
        for metadata in ["", "calotype-http 2\n", "calotype-http 1\n\nvariant junk\n"] {
            try await cache.disk.store(entry.body, metadata: Data(metadata.utf8), for: ByteString(key))
            #expect(try await cache.text(url) == "network: one", "\(metadata)")
            let again = try await cache.text(url)
            #expect(again == "fresh: one", "\(metadata)")
        }
        try await cache.disk.store(Data("on".utf8), metadata: entry.metadata, for: ByteString(key))
        #expect(try await cache.text(url) == "network: one")
        #expect(cache.allProblems.count == 4)
    }

    @Test func `asks for the rest of an interrupted download after a restart`() async throws {
        let body = Data((0..<100_000).map { UInt8($0 % 241) })
        let date = HTTPDate.format(clock.wall.now)
        let fields: HTTPFields = [
            "Cache-Control": "max-age=1000", "ETag": "\"1\"", "Accept-Ranges": "bytes", "Date": date,
        ]
        origin.on("/a") { request in
            guard let range = request.fields["Range"], let start = Int(range.string.dropFirst(6).dropLast()) else {
                return OriginReply(fields: fields, body: body).droppedAfter(bytes: 60_000)
            }
            var fields = fields
            fields["Content-Range"] = "bytes \(start)-99999/100000"
            return OriginReply(status: 206, fields: fields, body: body[start...])
        }
        let first = cache()
        await #expect(throws: TransportError.self) { try await first.get(origin.url("/a")) }
        try await first.disk.close()
        let second = cache()
        #expect(try await second.get(origin.url("/a")).body == body)
        let last = try #require(origin.requests.last)
        #expect(last.fields["If-Range"] == "\"1\"")
        #expect(last.fields["Range"]?.hasPrefix("bytes=") == true)
        try await second.disk.close()
        let third = try await cache().get(origin.url("/a"))
        #expect(third.source == "fresh")
        #expect(third.body == body)
    }

    @Test func `shared by two caches shows each what the other has stored`() async throws {
        let clock = clock
        let text = Locked("one")
        origin.on("/a") { _ in
            let text = text.withLock { $0 }
            return .fresh(text, tag: "\"\(text)\"", clock)
        }
        let (one, two) = (cache(), cache())
        let url = origin.url("/a")
        #expect(try await one.text(url) == "network: one")
        try await one.disk.flush()
        #expect(try await two.text(url) == "fresh: one")
        clock.advance(by: .seconds(100))
        text.withLock { $0 = "two" }
        #expect(try await two.text(url) == "network: two")
        try await two.disk.flush()
        #expect(try await one.text(url) == "fresh: two")
        _ = try await one.transport.send(HTTPRequest(url, method: .post))
        try await one.disk.flush()
        #expect(try await two.text(url) == "network: two")
        #expect(origin.requestCount() == 4)
    }

    @Test func `keeps within the store's bytes and never gives a wrong body`() async throws {
        let clock = clock
        origin.onAny { request in
            .fresh(
                String(repeating: request.path + " " + (request.fields["X"]?.string ?? ""), count: 500), clock,
                ["Vary": "X"])
        }
        let cache = DiskCacheHarness(in: folder, clock: clock, memory: 100_000, inlineLimit: 1000, byteLimit: 300_000)
        for round in 0..<300 {
            let (path, kind) = ("/\(round * 7 % 40)", "\(round % 3)")
            let answer = try await cache.get(origin.url(path), ["X": ByteString(kind)])
            #expect(String(decoding: answer.body, as: UTF8.self) == String(repeating: path + " " + kind, count: 500))
        }
        #expect(try await cache.disk.statistics().bytes <= 300_000)
    }
}

@Suite struct `The heads of stored variants as text` {
    @Test func `come back as they were written`() throws {
        let heads = [
            StoredResponse(
                url: "https://example.org/a?b=c", status: 200,
                fields: ["ETag": "\"a\"", "X-Empty": "", "X-Colon": "a: b", "X-Accent": "\u{301}é"], requestTime: 0.125,
                responseTime: 1_767_225_600.123456, bodyLength: 12),
            StoredResponse(
                url: "https://example.org/a", method: .post, status: 404, fields: [:], requestTime: -1,
                responseTime: 253_402_300_799,
                varying: [
                    VaryingField(name: "accept", value: nil), VaryingField(name: "cookie", value: ""),
                    VaryingField(name: "x", value: "a: \u{301}b"),
                ], bodyLength: 5, part: StoredPart(range: 3..<8, completeLength: nil)),
        ]
        let variants = heads.enumerated().map {
            StoredVariant(id: .max - UInt64($0.offset), head: $0.element, body: nil)
        }
        let read = try #require([StoredVariant](encodedHeads: variants.encodedHeads))
        #expect(read.map(\.id) == variants.map(\.id))
        #expect(read.map(\.head) == heads)
    }

    @Test func `are no text once they are cut anywhere but between fields`() throws {
        let head = StoredResponse(
            url: "u", status: 200, fields: ["A": "b", "C": "d: e", "F": ""], requestTime: 0, responseTime: 0.5)
        let text = (0..<2).map { _ in StoredVariant(head: head, body: nil) }.encodedHeads
        // The title, then twice: an empty line, three lines of the head, an empty line, and three fields.
        let ends = text.indices.filter { text[$0] == 0x0A }.map { $0 + 1 }
        let readable = [
            ends[0]: [], ends[5]: [0], ends[6]: [1], ends[7]: [2], ends[8]: [3], ends[13]: [3, 0], ends[14]: [3, 1],
            ends[15]: [3, 2], ends[16]: [3, 3],
        ]
        for length in 0...text.count {
            let fields = [StoredVariant](encodedHeads: text.prefix(length))?.map(\.head.fields.count)
            #expect(fields == readable[length], "\(length) bytes")
        }
    }
}
