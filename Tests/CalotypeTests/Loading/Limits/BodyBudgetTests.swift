import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing
import Waiting

@testable import Calotype

@Suite struct BodyBudgetTests {
    private let clock = ManualClock()

    private func budget(_ limit: Int) -> BodyBudget { BodyBudget(limit: limit, queueLimit: 100, clock: clock) }

    /// A body whose chunks the test releases one by one.
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
        let reservation: Locked<BodyBudget.Reservation?>

        init(_ reservation: BodyBudget.Reservation) { self.reservation = Locked(reservation) }

        func decode() { reservation.withLock { $0 = nil } }
    }

    /// Reads `count` chunks, which complete the body.
    private func read(_ feed: Feed, _ count: Int, _ reservation: BodyBudget.Reservation) -> Task<Body, any Error> {
        let body = Body(reservation)
        return Task {
            do {
                var chunks = HTTPBody(feed).makeAsyncIterator()
                var received = 0
                for _ in 0..<count {
                    let reservation = body.reservation.withLock { $0 }
                    received += try await reservation?.next(of: &chunks)?.count ?? 0
                }
                body.reservation.withLock { $0 }?.settle(received)
                return body
            } catch {
                body.decode()
                throw error
            }
        }
    }

    @Test func `a body counts by what has come of it, and no more once it is released`() async throws {
        let budget = budget(100)
        var known: BodyBudget.Reservation? = budget.reserveArrival()
        #expect(budget.bytes == 0)
        let feed = Feed(chunk: 10)
        feed.give(2)
        let read = try await read(feed, 2, budget.reserveArrival()).value
        #expect(budget.bytes == 20)
        known?.settle(70)
        #expect(budget.bytes == 90)
        known = nil
        read.decode()
        #expect(budget.bytes == 0 && known == nil)
    }

    @Test func `above the limit nothing begins, stored or not, until there is room again`() async throws {
        let budget = budget(100)
        var full: BodyBudget.Reservation? = budget.reserve(101)
        let begun = Names()
        let exchange = Task {
            try await budget.waitForSpace()
            begun.add("exchange")
        }
        await waitUntil { budget.queue == 1 }
        let stored = Task {
            let reservation = try await budget.reserve(stored: 50)
            begun.add("stored")
            return reservation
        }
        await waitUntil { budget.queue == 2 }
        #expect(begun.all.isEmpty && full != nil)
        full = nil
        try await exchange.value
        _ = try await stored.value
        #expect(begun.all.count == 2)
    }

    @Test func `all queues that wait for one budget are called, and each may begin`() async throws {
        let budget = budget(10)
        let whole = budget.reserve(11)
        let called = Locked(0)
        for _ in 0..<2 { #expect(!budget.mayBegin { called.withLock { $0 += 1 } }) }
        whole.settle(0)
        #expect(called.withLock { $0 } == 2)
        // Stored bodies may take the room before the queues ask again.
        let other = budget.reserve(11)
        for _ in 0..<2 { #expect(budget.mayBegin {}) }
        #expect(!budget.mayBegin {})
        withExtendedLifetime((whole, other)) {}
    }

    @Test func `two loaders that share their work have one pool and one budget`() async throws {
        let options = ImageLoaderOptions.ephemeral
        var shared = options
        shared.sharedWork = SharedWork(options)
        let loaders = [ImageLoader(shared), ImageLoader(shared)]
        #expect(loaders[0].pipeline.decoding.threads === loaders[1].pipeline.decoding.threads)
        #expect(loaders[0].options.decodeBudget == options.decodeBudget)
        #expect(ImageLoader(options).pipeline.decoding.threads !== ImageLoader(options).pipeline.decoding.threads)
    }

    @Test func `what has come of bodies under way keeps no other one from beginning`() async throws {
        let budget = budget(10)
        let feed = Feed(chunk: 11)
        feed.give()
        let slow = read(feed, 2, budget.reserveArrival())
        await waitUntil { budget.bytes == 11 }
        try await budget.waitForSpace()
        _ = try await budget.reserve(stored: 5)
        slow.cancel()
        _ = try? await slow.value
    }

    /// Returns two bodies, of which the second waits for its turn.
    private func crowd(_ budget: BodyBudget, chunk: Int, count: Int) async -> (
        feeds: (Feed, Feed), tasks: (Task<Body, any Error>, Task<Body, any Error>)
    ) {
        let (first, second) = (Feed(chunk: chunk), Feed(chunk: chunk))
        let older = read(first, count, budget.reserveArrival())
        await waitUntil { first.count == 1 }
        let younger = read(second, count, budget.reserveArrival())
        await waitUntil { second.count == 1 }
        first.give()
        await waitUntil { first.count == 2 }
        second.give()
        await clock.waitForSleepers(1)
        return ((first, second), (older, younger))
    }

    @Test func `of bodies that do not fit together only the first reads on`() async throws {
        let budget = budget(10)
        let (feeds, tasks) = await crowd(budget, chunk: 8, count: 2)
        feeds.0.give()
        // Complete, but not decoded: it fills the budget, and only its decode frees space.
        let whole = try await tasks.0.value
        #expect(feeds.1.count == 1)
        whole.decode()
        await waitUntil { feeds.1.count == 2 }
        tasks.1.cancel()
        _ = try? await tasks.1.value
    }

    @Test func `bodies that fit together read on side by side`() async throws {
        let budget = budget(20)
        let feeds = (0..<3).map { _ in Feed(chunk: 8) }
        var tasks: [Task<Body, any Error>] = []
        for feed in feeds {
            tasks.append(read(feed, 2, budget.reserveArrival()))
            await waitUntil { feed.count == 1 }
        }
        for feed in feeds[..<2] {
            feed.give()
            await waitUntil { feed.count == 2 }
        }
        feeds[2].give()
        await clock.waitForSleepers(1)
        #expect(feeds[2].count == 1)
        for feed in feeds { feed.give() }
        for task in tasks { try await task.value.decode() }
        #expect(budget.bytes == 0)
    }

    @Test func `a body that brings less than 64 KB in a second passes its turn on`() async throws {
        let budget = budget(1)
        let (feeds, tasks) = await crowd(budget, chunk: 8, count: 3)
        feeds.0.give()
        await waitUntil { feeds.0.count == 3 }
        #expect(feeds.1.count == 1)
        clock.advance(by: .seconds(1))
        await waitUntil { feeds.1.count == 2 }
        // A new body goes before the one that rests.
        let third = Feed(chunk: 8)
        third.give(2)
        feeds.1.give(2)
        try await tasks.1.value.decode()
        try await read(third, 2, budget.reserveArrival()).value.decode()
        feeds.0.give()
        try await tasks.0.value.decode()
        #expect(budget.bytes == 0)
    }

    @Test func `a body that brings 64 KB in a second keeps its turn`() async throws {
        let budget = budget(1)
        let (feeds, tasks) = await crowd(budget, chunk: 64 << 10, count: 3)
        feeds.0.give()
        await waitUntil { feeds.0.count == 3 }
        clock.advance(by: .seconds(1))
        // The next check is in progress: the last one has changed nothing.
        await clock.waitForSleepers(1)
        #expect(feeds.1.count == 1)
        feeds.0.give()
        try await tasks.0.value.decode()
        feeds.1.give(2)
        try await tasks.1.value.decode()
        #expect(budget.bytes == 0)
    }

    @Test func `where all are silent the turn goes round`() async throws {
        let budget = budget(1)
        let feeds = (0..<3).map { _ in Feed(chunk: 4) }
        var tasks: [Task<Body, any Error>] = []
        for feed in feeds {
            tasks.append(read(feed, 2, budget.reserveArrival()))
            await waitUntil { feed.count == 1 }
        }
        for feed in feeds { feed.give() }
        for count in 5...6 {
            await clock.waitForSleepers(1)
            clock.advance(by: .seconds(1))
            await waitUntil { feeds.reduce(0) { $0 + $1.count } == count }
        }
        for feed in feeds { feed.give() }
        for task in tasks { try await task.value.decode() }
        #expect(budget.bytes == 0)
    }

    @Test func `a cancelled body leaves its turn to the next, and counts no more`() async throws {
        let budget = budget(1)
        let (feeds, tasks) = await crowd(budget, chunk: 4, count: 2)
        tasks.0.cancel()
        _ = try? await tasks.0.value
        await waitUntil { feeds.1.count == 2 }
        tasks.1.cancel()
        _ = try? await tasks.1.value
        await waitUntil { budget.bytes == 0 }
    }

    @Test func `a body that waits for its turn is cancelled at once`() async throws {
        let budget = budget(1)
        let (feeds, tasks) = await crowd(budget, chunk: 4, count: 2)
        tasks.1.cancel()
        await #expect(throws: TransportError.self) { _ = try await tasks.1.value }
        feeds.0.give()
        _ = try await tasks.0.value
        #expect(feeds.1.count == 1)
    }

    // MARK: Bodies that broke off

    private func state(_ limit: Int, received: [Int]) -> (BodyBudgetState, [UInt64]) {
        var state = BodyBudgetState(limit: limit)
        let bodies = received.map { _ in state.begin() }
        for (id, count) in zip(bodies, received) { state.add(count, to: id) }
        return (state, bodies)
    }

    @Test func `a broken body keeps its bytes, and lets all others pass`() {
        var (state, bodies) = state(100, received: [60, 40])
        let isHeld = state.hold(bodies[0])
        #expect(isHeld)
        state.add(1, to: bodies[1])
        #expect(state.bytes == 101)
        #expect(state.mayReadOn(bodies[1]))
        // Held bytes count for those that come later.
        let late = state.begin()
        #expect(!state.mayReadOn(late))
        _ = state.end(bodies[1], whole: 0)
        #expect(state.mayReadOn(late))
    }

    @Test func `a broken body that reads on is the last in transfer`() {
        var (state, bodies) = state(100, received: [60, 40])
        let isHeld = state.hold(bodies[0])
        #expect(isHeld)
        state.release(bodies[0])
        state.add(1, to: bodies[1])
        #expect(state.mayReadOn(bodies[1]) && !state.mayReadOn(bodies[0]))
        _ = state.end(bodies[1], whole: 0)
        #expect(state.mayReadOn(bodies[0]))
        _ = state.end(bodies[0], whole: 0)
        #expect(state.bytes == 0)
    }

    @Test(arguments: [(99, false), (100, true), (101, true)])
    func `a broken body beyond the limit keeps nothing`(limit: Int, isHeld: Bool) {
        var (state, bodies) = state(limit, received: [60, 40])
        let outcomes = [state.hold(bodies[0]), state.hold(99)]
        #expect(outcomes == [isHeld, false])
    }

    @Test func `a held reservation gives its bytes back when it ends`() async throws {
        let budget = budget(100)
        var reservation: BodyBudget.Reservation? = budget.reserveArrival()
        let feed = Feed(chunk: 30)
        feed.give(1)
        var chunks = HTTPBody(feed).makeAsyncIterator()
        _ = try await reservation?.next(of: &chunks)
        #expect(reservation?.hold() == true && budget.bytes == 30)
        reservation?.readOn()
        #expect(budget.bytes == 30)
        reservation = nil
        #expect(budget.bytes == 0)
        let whole = budget.reserve(10)
        #expect(!whole.hold())
    }
}
