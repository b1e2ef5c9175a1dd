import ResourceProvider
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
}
