import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer

/// Lookups in the far store.
struct FarReaderTests {
    private let objects = MemoryObjectStore()
    private let clock = ManualClock()
    private let counters = FarCounters()
    private let lines = Locked([String]())
    private let store: FarStore
    private let reader: FarReader

    init() {
        let clocks = ServerClocks(clock: clock, wallClock: clock.wall)
        store = FarStore(objects: objects, prefix: "p")
        reader = FarReader(store, timeout: .milliseconds(250), limit: 64, counters, clocks) { [lines] line in
            lines.withLock { $0.append(line) }
        }
    }

    private func name(_ number: Int = 0) -> FarName {
        FarName(key: "\(FarPageTests.key)\(number)", source: "https://example.com/a.jpg")
    }

    private func object(_ name: FarName) -> ByteString { "p/\(name.text)" }

    private func put(_ data: Data?, _ name: FarName) { objects.update { $0.objects[object(name)] = data } }

    private func put(_ name: FarName, at time: Double = 1_767_225_600) {
        let page = FarPage(written: 1, result: FarPageTests.result(at: time), source: FarPageTests.source())
        put(page.encoded(for: name.key), name)
    }

    private func page(_ name: FarName) async -> FarPage? { await reader.page(name) { _ in true } }

    @Test func `a page is kept before it is returned`() async {
        put(name())
        let kept = Locked(0)
        let page = await reader.page(name()) { _ in
            kept.withLock { $0 += 1 }
            return true
        }
        #expect(page?.result.body == FarPageTests.result().body && kept.withLock { $0 } == 1)
        #expect(counters.values == FarCounts(lookups: 1, hits: 1))
        #expect(reader.recent(name()) == .found)
    }

    @Test func `a page that purges cover is remembered as absent`() async {
        put(name())
        _ = await reader.page(name()) { _ in false }
        #expect(reader.recent(name()) == .nothing)
    }

    @Test func `the absence of a page is remembered for a second`() async {
        #expect(await page(name()) == nil)
        #expect(reader.recent(name()) == .nothing && reader.recent(name(1)) == nil)
        clock.advance(by: .milliseconds(999))
        #expect(reader.recent(name()) == .nothing)
        clock.advance(by: .milliseconds(1))
        #expect(reader.recent(name()) == nil)
        #expect(counters.values == FarCounts(lookups: 1, misses: 1))
    }

    @Test func `one lookup serves all requests at the same time`() async {
        put(name())
        objects.gate.close()
        let tasks = (0..<100).map { _ in Task { await page(name())?.written } }
        await waitUntil { reader.waiters == 100 }
        objects.gate.open()
        for task in tasks { #expect(await task.value == 1) }
        #expect(objects.now.reads.count == 1)
    }

    @Test func `a lookup that takes longer than the limit is a miss`() async {
        put(name())
        objects.gate.close()
        let task = Task { await page(name())?.written }
        await clock.waitForSleepers(1)
        await objects.gate.waitForWaiters(1)
        clock.advance(by: .milliseconds(250))
        #expect(await task.value == nil)
        await objects.gate.waitUntilEmpty()
        #expect(counters.values == FarCounts(lookups: 1, timeouts: 1))
        // Another look of the same request does not wait again.
        #expect(reader.recent(name()) == .nothing)
    }

    @Test func `five failures in a row leave the store alone, with one line, until it answers a probe`() async {
        objects.update { $0.failure = TransportError(.badStatus, "the bucket results answered 503", status: 503) }
        for number in 0..<20 { #expect(await page(name(number)) == nil) }
        #expect(objects.now.reads.count == 5)
        #expect(counters.values == FarCounts(lookups: 5, failures: 5, skips: 15))
        let opened = "the far store cannot be read, and counts as empty until it can: the bucket results answered 503"
        #expect(lines.withLock { $0 } == [opened])
        clock.advance(by: .seconds(1))
        for number in 0..<20 { #expect(await page(name(number)) == nil) }
        #expect(objects.now.reads.count == 6 && lines.withLock { $0.count } == 1)
        objects.update { $0.failure = nil }
        put(name())
        clock.advance(by: .seconds(1))
        #expect(await page(name()) != nil)
        #expect(lines.withLock { $0 } == [opened, "the far store can be read again"])
    }

    @Test func `200 lookups at once are 64, and misses without a wait`() async {
        objects.gate.close()
        let tasks = (0..<200).map { number in Task { await page(name(number))?.written } }
        await waitUntil { counters.values.lookups + counters.values.skips == 200 }
        #expect(counters.values.lookups == 64)
        objects.gate.open()
        for task in tasks { #expect(await task.value == nil) }
        #expect(objects.now.reads.count == 64)
        #expect(await page(name(1000)) == nil)
        #expect(objects.now.reads.count == 65)
    }

    static let faults = ["cut short", "other version", "one bit", "other key", "too large", "empty", "HTML"]

    @Test(arguments: faults) func `bytes that are no page are a miss, and are removed, with one line`(
        fault: String
    ) async throws {
        put(name())
        var data = try #require(objects.now.objects[object(name())])
        switch fault {
        case "cut short": data.removeLast()
        case "other version": data[13] = UInt8(ascii: "1")
        case "one bit": data[data.count / 2] ^= 4
        case "other key":
            put(name(1))
            data = try #require(objects.now.objects[object(name(1))])
        case "too large": data.append(Data(count: FarPage.limit))
        case "empty": data = Data()
        default: data = Data("<html>503</html>".utf8)
        }
        put(data, name())
        let kept = Locked(0)
        let found = await reader.page(name()) { _ in
            kept.withLock { $0 += 1 }
            return true
        }
        #expect(found == nil)
        await waitUntil { objects.now.removals == [object(name())] }
        #expect(kept.withLock { $0 } == 0)
        #expect(counters.values == FarCounts(lookups: 1, misses: 1))
        #expect(lines.withLock { $0.count } == 1)
        #expect(lines.withLock { $0.first?.contains("\(object(name())) is no page of this server") } == true)
        put(name())
        #expect(await page(name()) != nil)
    }

    @Test(arguments: [(4.0, true), (6.0, false)]) func `a page from the future is a miss beyond five seconds`(
        lead: Double, isHit: Bool
    ) async {
        put(name(), at: clock.wall.now + lead)
        #expect((await page(name()) != nil) == isHit)
        // Another node, whose clock is right, may use it.
        #expect(objects.now.objects.count == 1)
    }

    @Test func `nothing is read while the gate is closed`() async {
        put(name())
        store.reading.close()
        #expect(await page(name()) == nil)
        #expect(objects.now.reads.isEmpty)
        #expect(counters.values == FarCounts(skips: 1))
        store.reading.open()
        #expect(await page(name()) != nil)
    }

    @Test func `the pages of a source are deleted, and no others`() async throws {
        objects.update { $0.listed = 3 }
        for number in 0..<10 { put(name(number)) }
        let other = FarName(key: "other", source: "https://example.com/b.jpg")
        put(Data(), other)
        try await store.remove(source: "HTTPS://example.com/a.jpg")
        #expect(Array(objects.now.objects.keys) == [object(other)])
    }
}
