import CalotypeConcurrency
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

@testable import Calotype

@Suite struct RoomTests {
    private let clock = ManualClock()

    private func room(_ limit: Int) -> Room { Room(limit: limit, queueLimit: 100, clock: clock) }

    /// A body whose chunks the test hands out one by one.
    private final class Feed: HTTPBodySource {
        private let gate = Gate()
        private let asked = Counter()
        private let chunk: Data

        init(chunk: Int) { self.chunk = Data(repeating: 0, count: chunk) }

        var count: Int { asked.count }
        func give(_ count: Int = 1) { gate.open(count: count) }

        func next() async throws(TransportError) -> Data? {
            asked.next()
            await gate.wait()
            if Task.isCancelled { throw .cancelled }
            return chunk
        }
    }

    /// A body in memory, until it is decoded.
    private final class Body: Sendable {
        let share: Locked<Room.Share?>

        init(_ share: Room.Share) { self.share = Locked(share) }

        func decode() { share.withLock { $0 = nil } }
    }

    /// Reads `count` chunks; the body is whole then.
    private func read(_ feed: Feed, _ count: Int, _ share: Room.Share) -> Task<Body, any Error> {
        let body = Body(share)
        return Task {
            do {
                var chunks = HTTPBody(feed).makeAsyncIterator()
                var received = 0
                for _ in 0..<count {
                    let share = body.share.withLock { $0 }
                    received += try await share?.next(of: &chunks)?.count ?? 0
                }
                body.share.withLock { $0 }?.settle(received)
                return body
            } catch {
                body.decode()
                throw error
            }
        }
    }

    @Test func `a body counts by its length from its head on, else as it comes, and no more once it is released`()
        async throws
    {
        let room = room(100)
        var known: Room.Share? = room.share(expecting: 60)
        #expect(room.bytes == 60)
        let feed = Feed(chunk: 10)
        feed.give(2)
        let unknown = try await read(feed, 2, room.share(expecting: nil)).value
        #expect(room.bytes == 80)
        known?.settle(70)
        #expect(room.bytes == 90)
        known = nil
        unknown.decode()
        #expect(room.bytes == 0 && known == nil)
    }

    @Test func `above the limit nothing begins, stored or not, until there is room again`() async throws {
        let room = room(100)
        var full: Room.Share? = room.share(of: 101)
        let begun = Names()
        let exchange = Task {
            try await room.waitForSpace()
            begun.add("exchange")
        }
        await waitUntil { room.queue == 1 }
        let stored = Task {
            let share = try await room.share(stored: 50)
            begun.add("stored")
            return share
        }
        await waitUntil { room.queue == 2 }
        #expect(begun.all.isEmpty && full != nil)
        full = nil
        try await exchange.value
        _ = try await stored.value
        #expect(begun.all.count == 2)
    }

    @Test func `of bodies that do not fit together only the oldest reads on`() async throws {
        let room = room(10)
        let (first, second) = (Feed(chunk: 8), Feed(chunk: 8))
        let older = read(first, 2, room.share(expecting: 16))
        await waitUntil { first.count == 1 }
        let younger = read(second, 2, room.share(expecting: 16))
        first.give()
        await waitUntil { first.count == 2 }
        #expect(second.count == 0)
        first.give()
        // Whole, but not decoded: it fills the room, and makes space by itself.
        let whole = try await older.value
        #expect(second.count == 0)
        whole.decode()
        await waitUntil { second.count == 1 }
        younger.cancel()
        _ = try? await younger.value
    }

    @Test func `bodies that fit together read on side by side`() async throws {
        let room = room(20)
        let (first, second, third) = (Feed(chunk: 10), Feed(chunk: 10), Feed(chunk: 10))
        let tasks = [first, second, third].map { read($0, 1, room.share(expecting: 10)) }
        await waitUntil { first.count == 1 && second.count == 1 }
        #expect(third.count == 0)
        first.give()
        second.give()
        // Two fill the room, and do not exceed it: the oldest that is left goes on.
        third.give()
        for task in tasks { _ = try await task.value }
        #expect(room.bytes == 30)
    }

    @Test func `a body that brings nothing for a second passes its turn on, and gets it back when it does`()
        async throws
    {
        let room = room(1)
        let (silent, other) = (Feed(chunk: 8), Feed(chunk: 8))
        let first = read(silent, 2, room.share(expecting: 16))
        await waitUntil { silent.count == 1 }
        let second = read(other, 3, room.share(expecting: 24))
        await clock.waitForSleepers(1)
        #expect(other.count == 0)
        clock.advance(by: .seconds(1))
        await waitUntil { other.count == 1 }
        // The oldest is back.
        silent.give()
        await waitUntil { silent.count == 2 }
        other.give()
        await clock.waitForSleepers(1)
        #expect(other.count == 1)
        silent.give()
        try await first.value.decode()
        other.give(2)
        try await second.value.decode()
        #expect(room.bytes == 0)
    }

    @Test func `where all are silent the turn goes round`() async throws {
        let room = room(1)
        let feeds = (0..<3).map { _ in Feed(chunk: 4) }
        var tasks: [Task<Body, any Error>] = []
        for feed in feeds {
            tasks.append(read(feed, 1, room.share(expecting: 4)))
            await waitUntil { feeds[0].count == 1 }
        }
        for count in 2...3 {
            await clock.waitForSleepers(1)
            clock.advance(by: .seconds(1))
            await waitUntil { feeds.reduce(0) { $0 + $1.count } == count }
        }
        for feed in feeds { feed.give() }
        for task in tasks { try await task.value.decode() }
        #expect(room.bytes == 0)
    }

    @Test func `a cancelled body leaves its turn to the next, and counts no more`() async throws {
        let room = room(1)
        let (first, second) = (Feed(chunk: 4), Feed(chunk: 4))
        let older = read(first, 1, room.share(expecting: 4))
        await waitUntil { first.count == 1 }
        let younger = read(second, 1, room.share(expecting: 4))
        await clock.waitForSleepers(1)
        older.cancel()
        _ = try? await older.value
        await waitUntil { second.count == 1 }
        younger.cancel()
        _ = try? await younger.value
        await waitUntil { room.bytes == 0 }
    }

    @Test func `a body that waits for its turn is cancelled at once`() async throws {
        let room = room(1)
        let (first, second) = (Feed(chunk: 4), Feed(chunk: 4))
        let older = read(first, 1, room.share(expecting: 4))
        await waitUntil { first.count == 1 }
        let younger = read(second, 1, room.share(expecting: 4))
        await clock.waitForSleepers(1)
        younger.cancel()
        await #expect(throws: TransportError.self) { _ = try await younger.value }
        first.give()
        _ = try await older.value
        #expect(second.count == 0)
    }
}
