import CalotypeBase
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

    // MARK: The last place

    @Test func `requests in the background leave the last place to others`() {
        let items = [push("a", "x", .low), push("b", "y", .veryLow), push("c", "z", .low)]
        #expect([next(), next(), next()] == ["a", "c", nil])
        #expect(!queue.lacksSlots)
        let visible = push("visible", "v")
        #expect([next(), next()] == ["visible", nil])
        #expect(queue.lacksSlots && queue.running == 3)
        queue.finish("v")
        #expect(next() == nil)
        queue.finish("x")
        #expect([next(), next()] == ["b", nil])
        #expect(items.count == 3 && visible.name == "visible")
    }

    @Test func `a request that leaves the background takes the last place`() {
        let items = [push("a", "x", .low), push("b", "y", .low), push("c", "z", .low)]
        #expect([next(), next(), next()] == ["a", "b", nil])
        queue.move(items[2], to: .normal)
        #expect(queue.lacksSlots)
        #expect(next() == "c")
    }

    @Test func `nothing in the background starts at once in the last place`() {
        #expect(queue.startAtOnce("x", priority: .low) && queue.startAtOnce("y"))
        #expect(!queue.startAtOnce("z", priority: .low))
        #expect(queue.startAtOnce("z"))
    }

    @Test func `behind requests in the background, one that was parked takes the last place`() {
        let items = [push("a", "x"), push("b", "y", .low), push("c", "x"), push("d", "z", .low)]
        #expect([next(), next(), next()] == ["a", "b", nil])
        queue.finish("x")
        #expect([next(), next()] == ["c", nil])
        #expect(items.count == 4)
    }

    @Test func `a single place is for all`() {
        let queue = TransferQueue<Item, String>(limit: 1, limitPerOrigin: 1, streamLimit: 1)
        let item = Item("a")
        queue.push(item, origin: "x", priority: .veryLow)
        #expect(queue.next()?.name == "a")
        queue.finish("x")
        #expect(queue.startAtOnce("x", priority: .low))
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
        queue.finishLent("x")
        #expect(queue.running == 1 && queue.lent == 0)
        #expect(!queue.startAtOnce("z"))
    }

    @Test func `one origin lends at most half of the slots that others leave, so that others can lend`() {
        let queue = TransferQueue<Item, String>(limit: 100, limitPerOrigin: 100, streamLimit: 100, lendingLimit: 8)
        for _ in 0..<8 { #expect(queue.startAtOnce("x") && queue.startAtOnce("y")) }
        let lent = (0..<8).map { _ in queue.lend("x", fairly: true) }
        #expect(lent.count { $0 } == 4)
        #expect((0..<8).map { _ in queue.lend("y", fairly: true) }.count { $0 } == 2)
        #expect(queue.lent(by: "x") == 4 && queue.lent(by: "y") == 2)
        queue.takeBack("x")
        queue.finishLent("x")
        #expect(queue.lent(by: "x") == 2 && queue.lent == 4 && queue.running == 11)
    }

    // It used to take along the slot meant for all requests parked there.
    @Test func `one that leaves when its turn has come leaves the place to the next`() {
        let items = [push("a", "x"), push("b", "x"), push("c", "x")]
        #expect([next(), next()] == ["a", nil])
        queue.finish("x")
        queue.remove(items[1])
        #expect(next() == "c")
    }

    // MARK: Groups that share the places

    private typealias Origins = TransferQueue<Item, Int>

    private func shared(_ limit: Int, perOrigin: Int = .max) -> Origins {
        Origins(limit: limit, limitPerOrigin: perOrigin, streamLimit: perOrigin)
    }

    /// Submits `count` requests, and returns how many of them start.
    private func ask(_ queue: Origins, _ count: Int, origin: (Int) -> Int, groups: (Int) -> [TransferGroup]) -> Int {
        (0..<count).count { number in
            let item = Item("\(number)")
            held.items.append(item)
            queue.push(item, origin: origin(number), groups: groups(number), priority: .normal)
            return queue.next() != nil
        }
    }

    private final class Held { var items: [Item] = [] }
    private let held = Held()

    // Each port used to count as an origin with a separate share.
    @Test func `a host has half of the places, however many ports are asked`() {
        let queue = shared(512, perOrigin: 128)
        #expect(ask(queue, 1500, origin: { $0 % 12 }, groups: { _ in [.place("host")] }) == 256)
        #expect(ask(queue, 1, origin: { _ in 100 }, groups: { _ in [.place("healthy")] }) == 1)
    }

    @Test func `names with one address have half of the places together`() {
        let queue = shared(64)
        #expect(ask(queue, 200, origin: { $0 }, groups: { [.place("name \($0)"), .place("192.0.2.1")] }) == 32)
        #expect(ask(queue, 1, origin: { _ in 999 }, groups: { _ in [.place("healthy"), .place("192.0.2.2")] }) == 1)
    }

    @Test func `the last eighth of the places is for hosts without a request`() {
        let queue = shared(64)
        for (host, places) in [32, 16, 8, 1, 1].enumerated() {
            #expect(ask(queue, 100, origin: { _ in host }, groups: { _ in [.place("\(host)")] }) == places)
        }
        #expect(ask(queue, 6, origin: { $0 + 10 }, groups: { [.place("\($0 + 10)")] }) == 6)
        #expect(ask(queue, 1, origin: { _ in 99 }, groups: { _ in [.place("99")] }) == 0)
        #expect(queue.running == 64)
    }

    @Test func `a client that is alone has all places, and half of them while another one waits`() {
        let queue = shared(8)
        #expect(ask(queue, 9, origin: { $0 }, groups: { _ in [.client("one")] }) == 8)
        #expect(ask(queue, 1, origin: { _ in 99 }, groups: { _ in [.client("two")] }) == 0)
        // The next place is not for the first one's, which has waited for longer.
        queue.finish(0, groups: [.client("one")])
        let next = queue.next()
        #expect(next === held.items.last && held.items.count == 10)
    }

    // 700 silent URLs used to delay those of others by their deadline.
    @Test func `a client with silent servers leaves places and loans to others`() {
        let queue = Origins(limit: 8, limitPerOrigin: 8, streamLimit: 8, lendingLimit: 8)
        #expect(ask(queue, 8, origin: { $0 }, groups: { _ in [.client("one")] }) == 8)
        #expect((0..<8).count { queue.lend($0, groups: [.client("one")], fairly: true) } == 4)
        // The other four keep their places; the ones that wait get no more, because they may be silent, too.
        #expect(ask(queue, 100, origin: { $0 + 10 }, groups: { _ in [.client("one")] }) == 0)
        #expect(ask(queue, 1, origin: { _ in 999 }, groups: { _ in [.client("two")] }) == 1)
        #expect(queue.lend(999, groups: [.client("two")], fairly: true))
    }

    @Test func `places that become free elsewhere are for groups whose requests are parked`() {
        let queue = shared(8)
        #expect((0..<3).allSatisfy { _ in queue.startAtOnce(1, groups: [.place("other")]) })
        var started = ask(queue, 10, origin: { _ in 2 }, groups: { _ in [.place("x")] })
        #expect(started == 3)
        for _ in 0..<3 {
            queue.finish(1, groups: [.place("other")])
            while queue.next() != nil { started += 1 }
        }
        #expect(started == 4)
    }

    @Test func `everything that is parked starts in the end`() {
        let queue = shared(6, perOrigin: 2)
        func groups(_ number: Int) -> [TransferGroup] {
            [.place("host \(number % 5)"), .place("address \(number % 3)")]
        }
        let items = (0..<600).map { Item("\($0)") }
        for (number, item) in items.enumerated() {
            queue.push(item, origin: number % 10, groups: groups(number), priority: .normal)
        }
        var running: [Int] = []
        var started = 0
        while true {
            while let item = queue.next() {
                started += 1
                running.append(Int(item.name) ?? 0)
            }
            guard let number = running.first else { break }
            running.removeFirst()
            queue.finish(number % 10, groups: groups(number))
        }
        #expect(started == 600 && queue.running == 0 && queue.waiting == 0)
    }
}
