import CalotypeBase
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeStore

@Suite struct `What waits for the writer` {
    private static func entry(_ key: StoreKey, _ size: Int, version: Int64 = 1) -> NewEntry {
        NewEntry(
            key: key, body: Data(count: size), metadata: Data(), storedAt: 0, expires: nil, version: version,
            lastUsed: 0)
    }

    private static func key(_ text: ByteString) throws -> StoreKey { try #require(StoreKey(text)) }

    @Test(.requirement("B36")) func `a batch holds the last operation for each key, oldest key first`() throws {
        var pending = PendingWrites()
        let a = try Self.key("a")
        let b = try Self.key("b")
        _ = pending.put(.store(Self.entry(a, 10)), for: a)
        _ = pending.put(.remove, for: b)
        let freed = pending.put(.remove, for: a)
        #expect(freed == Self.entry(a, 10).cost)
        let next = pending.nextBatch(byteLimit: .max)
        let batch = try #require(next)
        #expect(batch.keys == [a, b])
        guard case .remove? = batch.operations[a] else { return #expect(Bool(false)) }
    }

    @Test func `what the writer has in hand is still known, and what came after it wins`() throws {
        var pending = PendingWrites()
        let key = try Self.key("a")
        _ = pending.put(.store(Self.entry(key, 10)), for: key)
        _ = pending.nextBatch(byteLimit: .max)
        guard case .entry = pending.find(key) else { return #expect(Bool(false)) }
        _ = pending.put(.remove, for: key)
        guard case .removed = pending.find(key) else { return #expect(Bool(false)) }
        pending.finishBatch()
        guard case .removed = pending.find(key) else { return #expect(Bool(false)) }
    }

    @Test func `a batch takes no more bytes than asked for, but always something`() throws {
        var pending = PendingWrites()
        for number in 0..<10 {
            let key = try Self.key("\(number)")
            _ = pending.put(.store(Self.entry(key, 1_000)), for: key)
        }
        var sizes: [Int] = []
        while let batch = pending.nextBatch(byteLimit: 3_000) {
            sizes.append(batch.operations.count)
            pending.finishBatch()
        }
        #expect(sizes == [3, 3, 3, 1])
        let key = try Self.key("large")
        _ = pending.put(.store(Self.entry(key, 9_000)), for: key)
        let last = pending.nextBatch(byteLimit: 3_000)
        #expect(last?.operations.count == 1)
    }

    @Test func `everything that was admitted is given back once`() throws {
        var pending = PendingWrites()
        var held = 0
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let key = try Self.key("\(Int.random(in: 0..<20, using: &generator))")
            let operation: PendingOperation =
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: .remove
                case 1: .store(Self.entry(key, .random(in: 0..<500, using: &generator)))
                default: .changeMetadata(MetadataChange(version: 1, metadata: Data(count: 99), expires: nil))
                }
            held += operation.cost(for: key) - pending.put(operation, for: key)
            if Int.random(in: 0..<50, using: &generator) == 0 { held -= pending.putRemoveAll() }
            if Int.random(in: 0..<10, using: &generator) == 0, let batch = pending.nextBatch(byteLimit: 2_000) {
                held -= batch.cost
                pending.finishBatch()
            }
        }
        while let batch = pending.nextBatch(byteLimit: 2_000) {
            held -= batch.cost
            pending.finishBatch()
        }
        #expect(held == 0)
    }

    @Test func `the count of uses never repeats and never goes back, whatever the clock does`() {
        var pending = PendingWrites()
        let times = [5, 5, 4, 6, -.infinity, .nan, 6].map { pending.nextUse($0) }
        #expect(times == times.sorted() && Set(times).count == times.count)
    }

    @Test func `who exceeds the budget waits until there is room, in the order of coming`() async throws {
        let budget = WriteBudget(limit: 100, waiterLimit: 2)
        try await budget.admit(90)
        let order = Locked<[Int]>([])
        let first = Task {
            try await budget.admit(20)
            order.withLock { $0.append(20) }
        }
        await waitUntil { budget.waiterCount >= 1 }
        // It would fit, but an earlier one waits.
        let second = Task {
            try await budget.admit(5)
            order.withLock { $0.append(5) }
        }
        await waitUntil { budget.waiterCount >= 2 }
        await #expect { try await budget.admit(1) } throws: { ($0 as? StoreError)?.code == .overloaded }
        budget.release(90)
        try await first.value
        try await second.value
        #expect(order.withLock { $0.sorted() } == [5, 20])
        #expect(budget.used == 25)
    }

    @Test func `who leaves while waiting takes nothing, and lets those behind pass`() async throws {
        let budget = WriteBudget(limit: 100)
        try await budget.admit(90)
        let large = Task { try await budget.admit(50) }
        await waitUntil { budget.waiterCount >= 1 }
        let small = Task { try await budget.admit(10) }
        await waitUntil { budget.waiterCount >= 2 }
        large.cancel()
        await #expect { try await large.value } throws: { ($0 as? StoreError)?.code == .cancelled }
        try await small.value
        #expect(budget.used == 100)
    }

    @Test func `an entry larger than the whole budget goes alone`() async throws {
        let budget = WriteBudget(limit: 100)
        try await budget.admit(500)
        budget.release(500)
        #expect(budget.used == 0)
    }
}
