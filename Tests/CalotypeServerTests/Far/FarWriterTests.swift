import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing
import Waiting

@testable import CalotypeServer

/// The queue of pages to write.
struct FarWriterTests {
    private let objects = MemoryObjectStore()
    private let clock = ManualClock()
    private let counters = FarCounters()
    private let lines = Locked([String]())
    private let written = Locked([Int]())

    private func writer(limit: Int = 1000) -> FarWriter {
        FarWriter(FarStore(objects: objects, prefix: ""), limit: limit, counters, clock) { [lines] line in
            lines.withLock { $0.append(line) }
        }
    }

    private func order(_ number: Int, size: Int = 10, hasPage: Bool = true) -> FarWriter.Order {
        FarWriter.Order(
            name: FarName(key: "\(number)", source: "https://example.com/a.jpg"), size: size,
            page: { hasPage ? FarPage(written: number, result: FarPageTests.result(), source: nil) : nil },
            onWritten: { [written] time in written.withLock { $0.append(time) } })
    }

    @Test func `results are written once each, and their writers learn of it`() async {
        let writer = writer()
        objects.gate.close()
        for number in [1, 2, 3, 2, 1] { writer.add(order(number)) }
        #expect(counters.values.queuedBytes == 30)
        objects.gate.open()
        #expect(await writer.finish(within: .seconds(10)) == 0)
        #expect(objects.now.objects.count == 3 && objects.now.writes.count == 3)
        #expect(written.withLock { $0.sorted() } == [1, 2, 3])
        #expect(counters.values == FarCounts(writes: 3))
    }

    @Test func `200 results at once fill the queue, and the rest is dropped and counted`() async {
        let writer = writer(limit: 1000)
        objects.gate.close()
        for number in 0..<200 { writer.add(order(number)) }
        #expect(counters.values == FarCounts(drops: 100, queuedBytes: 1000))
        await objects.gate.waitForWaiters(4)
        #expect(objects.gate.waiting == 4)
        objects.gate.open()
        #expect(await writer.finish(within: .seconds(10)) == 0)
        #expect(counters.values == FarCounts(writes: 100, drops: 100))
    }

    @Test func `a result that is gone leaves the queue`() async {
        let writer = writer()
        writer.add(order(1, hasPage: false))
        #expect(await writer.finish(within: .seconds(10)) == 0)
        #expect(objects.now.writes.isEmpty && counters.values == FarCounts())
    }

    @Test func `the end drops the results that have no time left`() async {
        let writer = writer()
        objects.gate.close()
        for number in 0..<10 { writer.add(order(number)) }
        let end = Task { await writer.finish(within: .seconds(3)) }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(3))
        #expect(await end.value == 10)
        await objects.gate.waitUntilEmpty()
        writer.add(order(11))
        #expect(counters.values == FarCounts(drops: 11))
    }

    @Test func `five failures in a row drop the results, with one line, until the store takes one`() async {
        objects.update { $0.failure = TransportError(.cannotConnect, "connection refused") }
        let writer = writer()
        for number in 0..<20 {
            writer.add(order(number))
            await waitUntil { counters.values.queuedBytes == 0 }
        }
        #expect(counters.values == FarCounts(failedWrites: 5, drops: 15))
        let opened = "the far store cannot be written, and gets no results until it can: connection refused"
        #expect(lines.withLock { $0 } == [opened])
        objects.update { $0.failure = nil }
        clock.advance(by: .seconds(1))
        writer.add(order(1))
        #expect(await writer.finish(within: .seconds(10)) == 0)
        #expect(objects.now.writes.count == 1)
        #expect(lines.withLock { $0 } == [opened, "the far store can be written again"])
    }
}
