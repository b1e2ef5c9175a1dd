import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing
import Waiting

@testable import CalotypeHTTPCache

/// A cache over a store that takes bodies while they arrive, and an origin with one large response.
struct StreamingHarness {
    static let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 / 7) })

    let origin: OriginServer
    let store: StreamingStore
    let clock = ManualClock()
    let problems = Problems()
    let cache: HTTPCache
    let transport: any Transport

    init(
        _ traits: StreamingStore.Traits = StreamingStore.Traits(),
        _ configure: (inout HTTPCacheOptions) -> Void = { _ in }
    ) throws {
        origin = try OriginServer()
        store = StreamingStore(traits)
        var options = HTTPCacheOptions()
        options.clock = clock
        configure(&options)
        cache = HTTPCache(
            rules: .private, store: store, options: options, wallClock: clock.wall,
            onProblem: { [problems] in problems.add("\($0)") })
        transport = CurlTransport().cached(in: cache)
    }

    var fields: HTTPFields {
        [
            "Cache-Control": "max-age=1000", "ETag": "\"1\"", "Accept-Ranges": "bytes",
            "Date": HTTPDate.format(clock.wall.now),
        ]
    }

    /// Answers with the whole body, changed by `change`, or with the part that a request asks for.
    func serve(_ change: @escaping @Sendable (OriginReply) -> OriginReply = { $0 }) {
        let fields = fields
        origin.on("/a") { request in
            guard let range = request.fields["Range"], request.fields["If-Range"] == "\"1\"",
                let start = Int(range.string.dropFirst("bytes=".count).dropLast())
            else { return change(OriginReply(fields: fields, body: Self.body)) }
            var fields = fields
            fields["Content-Range"] = "bytes \(start)-\(Self.body.count - 1)/\(Self.body.count)"
            return OriginReply(status: 206, fields: fields, body: Self.body[start...])
        }
    }

    func send(_ fields: HTTPFields = [:]) async throws -> HTTPResponse {
        try await transport.send(HTTPRequest(origin.url("/a"), fields: fields))
    }

    func body(_ fields: HTTPFields = [:]) async throws -> Data { try await send(fields).body.collect() }

    /// Whether the store has the response whole, and each writer has been released.
    func expectStored() async {
        await waitUntil { store.writers == 0 }
        #expect(store.variants.map(\.head.isComplete) == [true])
        #expect(store.variants.first.flatMap(store.body) == Self.body)
        #expect(problems.all.isEmpty)
    }

    func expectNothingStored() async {
        await waitUntil { store.writers == 0 }
        #expect(store.variants.isEmpty)
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A large body` {
    private let body = StreamingHarness.body

    @Test(arguments: [false, true])
    func `is stored while it arrives, and read from the store at the pace of its reader`(isChunked: Bool) async throws {
        let cache = try StreamingHarness()
        cache.serve { isChunked ? $0.chunked() : $0 }
        for _ in 0..<2 { #expect(try await cache.body() == body) }
        #expect(cache.origin.requestCount() == 1)
        #expect(cache.store.opened == 1 && cache.store.wholeReads == 0)
        await cache.expectStored()
    }

    @Test(arguments: [(-1, false), (0, true), (1, true)], [false, true])
    func `is one of the length of the option or more`(
        _ difference: (Int, isStreamed: Bool), isChunked: Bool
    ) async throws {
        let cache = try StreamingHarness { $0.streamedLength = 2_000_000 }
        let reply = OriginReply(fields: cache.fields, body: body.prefix(2_000_000 + difference.0))
        cache.origin.on("/a", isChunked ? reply.chunked() : reply)
        for _ in 0..<2 { #expect(try await cache.body() == reply.body) }
        #expect(cache.store.opened == (difference.isStreamed ? 1 : 0))
        #expect(cache.origin.requestCount() == 1)
    }

    @Test func `is stored beyond the limit of bodies in memory, if the store has room`() async throws {
        let cache = try StreamingHarness { ($0.bodyLimit, $0.gatheringLimit) = (100_000, 4 << 20) }
        cache.serve()
        for _ in 0..<2 { #expect(try await cache.body() == body) }
        #expect(cache.origin.requestCount() == 1)
        await cache.expectStored()
    }

    @Test func `for which the store has no writer is gathered in memory, or passes through`() async throws {
        for limit in [100_000, 64 << 20] {
            var traits = StreamingStore.Traits()
            traits.limit = 2_999_999
            let cache = try StreamingHarness(traits) { $0.bodyLimit = limit }
            cache.serve()
            for _ in 0..<2 { #expect(try await cache.body() == body) }
            #expect(cache.origin.requestCount() == (limit == 100_000 ? 2 : 1))
            #expect(cache.store.opened == 0)
        }
    }

    @Test(arguments: [0..<1, 1_000_000..<1_000_100, 2_999_999..<3_000_000])
    func `gives parts by their position in the store`(range: Range<Int>) async throws {
        let cache = try StreamingHarness()
        cache.serve()
        #expect(try await cache.body() == body)
        let response = try await cache.send(["Range": "bytes=\(range.lowerBound)-\(range.upperBound - 1)"])
        #expect(response.status == 206)
        #expect(try await response.body.collect() == body[range])
        #expect(cache.store.wholeReads == 0 && cache.origin.requestCount() == 1)
    }

    @Test func `that the store returns shorter than it is ends with an error`() async throws {
        var traits = StreamingStore.Traits()
        traits.missing = 1
        let cache = try StreamingHarness(traits)
        cache.serve()
        #expect(try await cache.body() == body)
        await #expect(throws: TransportError.self) { try await cache.body() }
    }

    @Test func `that a 304 takes out of the store goes to the client without a second request`() async throws {
        let cache = try StreamingHarness()
        cache.serve()
        #expect(try await cache.body() == body)
        cache.origin.on("/a", OriginReply(status: 304, fields: ["Cache-Control": "no-store", "ETag": "\"1\""]))
        cache.clock.advance(by: .seconds(2000))
        #expect(try await cache.body() == body)
        #expect(cache.store.variants.isEmpty)
        #expect(cache.origin.requestCount() == 2 && cache.store.wholeReads == 0)
        #expect(cache.problems.all.isEmpty)
    }

    @Test func `that is removed while it arrives is not stored`() async throws {
        let cache = try StreamingHarness()
        let gate = Gate()
        cache.serve { $0.bodyHeld(by: gate, after: 2_000_000) }
        let response = try await cache.send()
        try await cache.cache.removeAll()
        gate.open()
        #expect(try await response.body.collect() == body)
        withExtendedLifetime(response) {}
        #expect(cache.store.variants.isEmpty)
    }

    @Test func `takes little memory, whatever its length`() async throws {
        let chunks = (0..<400).map { Data(repeating: UInt8($0 % 251), count: 100_000) }
        let budget = GatheringBudget(each: 1 << 20, all: 4 << 20)
        let store = StreamingStore()
        let transfer = Transfer(
            expected: nil, drains: true, budget: budget,
            storing: StreamedStoring(
                threshold: 1 << 20, open: { try? await store.writer(for: "a", length: nil) }, digest: nil,
                timeout: StoreTimeout(duration: .seconds(30), clock: ContinuousClock()), onProblem: { _ in })
        ) { _ in }
        let kept = Kept()
        let body = try #require(transfer.body())
        let largest = Locked(0)
        transfer.start(HTTPBody(GatedSource(chunks))) { gathered in
            largest.withLock { $0 = transfer.heldBytes }
            await kept.keep(gathered)
        }
        var count = 0
        for try await chunk in body {
            count += chunk.count
            let held = transfer.heldBytes
            largest.withLock { $0 = max($0, held) }
        }
        #expect(count == 40_000_000 && kept.words == ["streamed 40000000"])
        #expect(largest.withLock { $0 } <= TransferState.writeAhead + TransferState.window + 200_000)
    }
}

@Suite(.timeLimit(.minutes(1))) struct `Readers of a body that is stored while it arrives` {
    private let body = StreamingHarness.body

    @Test func `join at any time, and get what memory has no longer from the store`() async throws {
        let cache = try StreamingHarness()
        let gate = Gate()
        cache.serve { $0.bodyHeld(by: gate, after: 2_500_000) }
        let first = try await cache.send()
        var reader = first.body.makeAsyncIterator()
        var read = Data()
        while read.count < 2_500_000, let chunk = try await reader.next() { read += chunk }
        let second = try await cache.send()
        let third = try await cache.send()
        async let others = (second.body.collect(), third.body.collect())
        gate.open()
        while let chunk = try await reader.next() { read += chunk }
        let (two, three) = try await others
        #expect(read == body && two == body && three == body)
        #expect(cache.origin.requestCount() == 1)
        withExtendedLifetime((first, second, third)) {}
    }

    @Test func `are never left behind, however slow`() async throws {
        let cache = try StreamingHarness()
        cache.serve()
        let slow = try await cache.send()
        let fast = try await cache.send()
        var reader = slow.body.makeAsyncIterator()
        var read = try await reader.next() ?? Data()
        #expect(try await fast.body.collect() == body)
        while let chunk = try await reader.next() { read += chunk }
        #expect(read == body)
        #expect(cache.origin.requestCount() == 1)
    }

    @Test func `get the rest by a request of their own if the writer cannot be read`() async throws {
        var traits = StreamingStore.Traits()
        traits.isReadable = false
        let cache = try StreamingHarness(traits)
        let gate = Gate()
        cache.serve { $0.bodyHeld(by: gate, after: 100_000) }
        let slow = try await cache.send()
        var reader = slow.body.makeAsyncIterator()
        var read = try await reader.next() ?? Data()
        let fast = try await cache.send()
        gate.open()
        #expect(try await fast.body.collect() == body)
        while let chunk = try await reader.next() { read += chunk }
        #expect(read == body)
        #expect(cache.origin.requests.map { $0.fields["Range"] != nil } == [false, true])
        withExtendedLifetime((slow, fast)) {}
    }

    @Test func `that all stop reading stop the origin, too`() async throws {
        let cache = try StreamingHarness()
        let chunks = (0..<100).map { Data(repeating: UInt8($0), count: 64 << 10) }
        let source = GatedSource(chunks)
        let fields = cache.fields
        let base = FakeTransport { request throws(TransportError) in
            var fields = fields
            fields["Content-Length"] = "\(100 * 64 << 10)"
            return HTTPResponse(url: request.url, status: 200, fields: fields, body: HTTPBody(source))
        }
        let response = try await base.cached(in: cache.cache).send(HTTPRequest(cache.origin.url("/b")))
        var reader = response.body.makeAsyncIterator()
        var read = 0
        while let chunk = try await reader.next() {
            read += chunk.count
            #expect(source.handedOut << 16 <= read + TransferState.readAhead + 2 << 16)
        }
        #expect(read == 100 * 64 << 10)
        withExtendedLifetime(response) {}
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A store that fails while a body arrives` {
    private let body = StreamingHarness.body

    @Test(arguments: [false, true])
    func `costs no client a byte, stores nothing, and is told`(commits: Bool) async throws {
        var traits = StreamingStore.Traits()
        traits.room = commits ? .max : 1_000_000
        traits.failsToCommit = commits
        let cache = try StreamingHarness(traits)
        cache.serve()
        #expect(try await cache.body() == body)
        await cache.expectNothingStored()
        #expect(cache.problems.all == ["Full()"])
        #expect(try await cache.body() == body)
        #expect(cache.origin.requestCount() == 2)
    }

    enum Call: CaseIterable { case opening, appending, committing }

    @Test(arguments: Call.allCases)
    func `by never answering keeps the client only until its time limit`(call: Call) async throws {
        let gate = Gate()
        var traits = StreamingStore.Traits()
        switch call {
        case .opening: traits.opening = gate
        case .appending: traits.appending = gate
        case .committing: traits.committing = gate
        }
        let cache = try StreamingHarness(traits)
        cache.serve()
        let answer = Task { try await cache.body() }
        await gate.waitForWaiters(1)
        await cache.clock.waitForSleepers(1)
        #expect(cache.store.variants.isEmpty)
        cache.clock.advance(by: .seconds(31))
        #expect(try await answer.value == body)
        #expect(cache.problems.all.count == 1)
        gate.open()
        await waitUntil { cache.store.writers == 0 }
    }

    @Test func `by never answering a look-up is a miss after its time limit`() async throws {
        let gate = Gate()
        let clock = ManualClock()
        var options = HTTPCacheOptions()
        options.clock = clock
        let origin = try OriginServer()
        origin.on("/a", .text("one", cache: "max-age=60"))
        let cache = HTTPCache(rules: .private, store: OwnStore(gate: gate), options: options, wallClock: clock.wall)
        let answer = Task { try await Answer(CurlTransport().cached(in: cache).send(HTTPRequest(origin.url("/a")))) }
        await gate.waitForWaiters(1)
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(31))
        #expect(try await answer.value.text == "one")
        gate.open()
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A large body that breaks off` {
    private let body = StreamingHarness.body

    /// Has a part of the response stored.
    private func cut(_ cache: StreamingHarness, after bytes: Int = 2_000_000) async throws -> Int {
        cache.serve { $0.droppedAfter(bytes: bytes) }
        await #expect(throws: TransportError.self) { try await cache.body() }
        await waitUntil { cache.store.writers == 0 }
        let part = try #require(cache.store.variants.first)
        #expect(!part.head.isComplete && cache.store.body(of: part) == body.prefix(part.head.bodyLength))
        return part.head.bodyLength
    }

    @Test func `goes on where it broke off, without its beginning in memory`() async throws {
        let cache = try StreamingHarness()
        let length = try await cut(cache)
        cache.serve()
        let response = try await cache.send()
        #expect(response.status == 200 && response.fields["Content-Length"] == "3000000")
        #expect(try await response.body.collect() == body)
        #expect(cache.origin.requests.last?.fields["Range"] == "bytes=\(length)-")
        #expect(cache.store.wholeReads == 0)
        withExtendedLifetime(response) {}
        await waitUntil { cache.store.variants.first?.head.isComplete == true }
        #expect(cache.store.variants.count == 1)
        #expect(try await cache.body() == body)
        #expect(cache.origin.requestCount() == 2)
    }

    @Test func `goes on though no writer can be opened, and is not stored then`() async throws {
        let first = try StreamingHarness()
        let length = try await cut(first)
        var options = HTTPCacheOptions()
        options.bodyLimit = 100_000
        let cache = HTTPCache(
            rules: .private, store: Unwritable(store: first.store), options: options, wallClock: first.clock.wall)
        first.serve()
        let response = try await CurlTransport().cached(in: cache).send(HTTPRequest(first.origin.url("/a")))
        #expect(try await response.body.collect() == body)
        #expect(first.origin.requests.last?.fields["Range"] == "bytes=\(length)-")
        #expect(first.store.wholeReads == 0)
        #expect(first.store.variants.map(\.head.bodyLength) == [length])
    }

    @Test func `keeps its part if its client leaves before the part is passed on`() async throws {
        var traits = StreamingStore.Traits()
        traits.reading = Gate()
        let cache = try StreamingHarness(traits)
        let length = try await cut(cache)
        cache.serve()
        var response: HTTPResponse? = try await cache.send()
        await traits.reading.waitForWaiters(1)
        #expect(response != nil)
        response = nil
        traits.reading.open(count: 3)
        traits.reading.open()
        await waitUntil { cache.store.writers == 0 }
        #expect(cache.store.variants.map(\.head.bodyLength).max() ?? 0 >= length)
    }

    @Test func `whose last client leaves goes on where it was left`() async throws {
        let cache = try StreamingHarness()
        let gate = Gate()
        cache.serve { $0.bodyHeld(by: gate, after: 2_000_000) }
        var response: HTTPResponse? = try await cache.send()
        var reader = response?.body.makeAsyncIterator()
        var read = 0
        while read < 2_000_000, let chunk = try await reader?.next() { read += chunk.count }
        response = nil
        reader = nil
        await waitUntil { cache.store.writers == 0 }
        cache.serve()
        #expect(try await cache.body() == body)
        #expect(cache.origin.requests.last?.fields["Range"] == "bytes=2000000-")
        gate.open()
    }
}

/// A store without writers over another one.
private struct Unwritable: HTTPCacheStore {
    let store: StreamingStore

    func variants(of key: ByteString) async throws -> [StoredVariant] { try await store.variants(of: key) }
    func body(of variant: StoredVariant, for key: ByteString) async throws -> Data? {
        try await store.body(of: variant, for: key)
    }
    func body(of variant: StoredVariant, for key: ByteString, in range: Range<Int>) async throws -> HTTPBody? {
        try await store.body(of: variant, for: key, in: range)
    }
    func store(_ variant: StoredVariant, for key: ByteString, replacing old: [StoredVariant.ID]) async throws {
        try await store.store(variant, for: key, replacing: old)
    }
    func update(_ variants: [StoredVariant], for key: ByteString) async throws {
        try await store.update(variants, for: key)
    }
    func remove(_ ids: [StoredVariant.ID]?, for key: ByteString) async throws { try await store.remove(ids, for: key) }
    func removeAll() async throws { try await store.removeAll() }
}
