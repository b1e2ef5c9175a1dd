import CalotypeConcurrency
import Testing

@testable import CalotypeTransport

/// The rules of the queue alone, without curl.
struct TransferQueueTests {
    private final class Item {
        let name: String
        init(_ name: String) { self.name = name }
    }

    private let queue = TransferQueue<Item, String>(limit: 3, limitPerOrigin: 1, streamLimit: 2)

    private func push(_ name: String, _ origin: String, _ priority: LoadPriority = .normal) -> Item {
        let item = Item(name)
        queue.push(item, origin: origin, priority: priority)
        return item
    }

    private func next() -> String? { queue.next()?.name }

    @Test func `first come, first served, within a priority`() {
        let items = [push("a", "x"), push("b", "y"), push("c", "z", .high)]
        #expect(items.count == 3)
        #expect([next(), next(), next(), next()] == ["c", "a", "b", nil])
    }

    @Test func `an origin that is full is passed over until it has room`() {
        let items = [push("a", "x"), push("b", "x", .veryHigh), push("c", "y")]
        #expect(items.count == 3)
        #expect([next(), next(), next()] == ["b", "c", nil])
        queue.finish("x")
        #expect(next() == "a")
    }

    @Test func `what is parked still moves and leaves`() {
        let items = [push("a", "x"), push("b", "x"), push("c", "x"), push("d", "x")]
        #expect([next(), next()] == ["a", nil])
        queue.move(items[3], to: .high)
        queue.remove(items[1])
        #expect(queue.waiting == 2)
        queue.finish("x")
        #expect(next() == "d")
        queue.finish("x")
        #expect(next() == "c")
    }

    @Test func `an origin that multiplexes takes as many as it has streams, at once`() {
        let items = [push("a", "x"), push("b", "x"), push("c", "x")]
        #expect(items.count == 3)
        #expect([next(), next()] == ["a", nil])
        queue.noteMultiplexing("x")
        #expect([next(), next()] == ["b", nil])
        queue.finish("x")
        queue.finish("x")
        #expect(next() == "c")
    }

    @Test func `nobody starts at once past those who wait`() {
        #expect(queue.startAtOnce("x"))
        #expect(!queue.startAtOnce("x"))
        let item = push("a", "x")
        #expect(!queue.startAtOnce("y"))
        queue.remove(item)
        #expect(queue.startAtOnce("y"))
    }

    // MARK: Places that are lent

    @Test func `one that waits for its client lends its place, and has it again when it goes on`() {
        let queue = TransferQueue<Item, String>(limit: 3, limitPerOrigin: 1, streamLimit: 1, lendingLimit: 1)
        let items = ["a", "b", "c"].map(Item.init)
        for item in items { queue.push(item, origin: "x", priority: .normal) }
        #expect([queue.next()?.name, queue.next()?.name] == ["a", nil])
        #expect(queue.lend("x"))
        #expect([queue.next()?.name, queue.next()?.name] == ["b", nil])
        #expect(!queue.lend("x"))
        queue.takeBack("x")
        #expect(queue.running == 2)
        queue.finish("x")
        #expect(queue.next() == nil)
        queue.finish("x")
        #expect(queue.next()?.name == "c")
        #expect(queue.running == 1 && queue.lent == 0)
    }

    @Test func `one that ends while its place is lent gives nothing back`() {
        let queue = TransferQueue<Item, String>(limit: 1, limitPerOrigin: 1, streamLimit: 1, lendingLimit: 5)
        #expect(queue.startAtOnce("x"))
        #expect(queue.lend("x"))
        #expect(queue.startAtOnce("y"))
        queue.finishLent()
        #expect(queue.running == 1 && queue.lent == 0)
        #expect(!queue.startAtOnce("z"))
    }

    // MARK: A share for each origin

    @Test func `origins that never answer leave places for one that does`() {
        let queue = TransferQueue<Item, String>(limit: 512, limitPerOrigin: 128, streamLimit: 128, sharesPlaces: true)
        let silent = (0..<2000).map { Item("silent \($0)") }
        for (index, item) in silent.enumerated() {
            queue.push(item, origin: "silent \(index % 40)", priority: .normal)
            _ = queue.next()
        }
        let healthy = Item("healthy")
        queue.push(healthy, origin: "healthy", priority: .normal)
        #expect(queue.next() === healthy)
    }

    @Test func `places that become free elsewhere are for origins whose requests are parked`() {
        let queue = TransferQueue<Item, String>(limit: 8, limitPerOrigin: 8, streamLimit: 8, sharesPlaces: true)
        let items = (0..<10).map { Item("\($0)") }
        #expect((0..<3).allSatisfy { _ in queue.startAtOnce("other") })
        for item in items { queue.push(item, origin: "x", priority: .normal) }
        var started = 0
        while queue.next() != nil { started += 1 }
        #expect(started == 3)
        for _ in 0..<3 {
            queue.finish("other")
            while queue.next() != nil { started += 1 }
        }
        #expect(started == 4)
    }

    @Test func `everything that is parked starts in the end`() {
        let queue = TransferQueue<Item, Int>(limit: 6, limitPerOrigin: 4, streamLimit: 4, sharesPlaces: true)
        let items = (0..<300).map { Item("\($0)") }
        for (index, item) in items.enumerated() { queue.push(item, origin: index % 3, priority: .normal) }
        var running: [Int] = []
        var started = 0
        while true {
            while let item = queue.next() {
                started += 1
                running.append((Int(item.name) ?? 0) % 3)
            }
            guard !running.isEmpty else { break }
            queue.finish(running.removeFirst())
        }
        #expect(started == 300 && queue.running == 0 && queue.waiting == 0)
    }
}
