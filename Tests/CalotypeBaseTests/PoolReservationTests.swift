import CalotypeBase
import CalotypeTesting
import TestSupport
import Requirements
import Testing
import Waiting

/// Chains of jobs: each image is decoded, gets its steps, and is encoded, in jobs of one pool.
struct PoolReservationTests {
    private let log = Log<String>()

    /// Begins a chain: its first job reserves `cost`, and its result takes `held` of that.
    private func begin(
        _ pool: BlockingPool, cost: Int, held: Int, gate: Gate? = nil
    ) -> Task<PoolReservation, any Error> {
        Task { try await decode(pool, cost: cost, held: held, gate: gate) }
    }

    private func decode(
        _ pool: BlockingPool, within earlier: PoolReservation? = nil, cost: Int, held: Int, later: Int? = nil,
        gate: Gate? = nil
    ) async throws(LoadError) -> PoolReservation {
        try await pool.run(within: earlier, reserving: cost) { (reservation) throws(LoadError) in
            gate?.waitBlocking()
            reservation.settle(held: held, total: later ?? cost)
        }.1
    }

    /// Starts a task that waits in the pool's queue.
    private func queue<Value: Sendable>(
        _ pool: BlockingPool, _ body: @escaping @Sendable () async throws -> Value
    ) async -> Task<Value, any Error> {
        let before = pool.load.waiting
        let task = Task { try await body() }
        await waitUntil { pool.load.waiting == before + 1 }
        return task
    }

    @Test(.requirement("C1")) func `a reservation lasts until its last reference is gone, not until its job ends`()
        async throws
    {
        let pool = BlockingPool(threads: 2, costLimit: 10)
        var chain: PoolReservation? = try await decode(pool, cost: 8, held: 8)
        await waitUntil { pool.load.running == 0 }
        #expect(pool.reserved == 8)
        let next = await queue(pool) { try await decode(pool, cost: 8, held: 8) }
        #expect(pool.load == (1, 0))
        chain = nil
        _ = try await next.value
        #expect(chain == nil)
    }

    @Test(.requirement("C1")) func `a chain that keeps less lets the next one start`() async throws {
        let pool = BlockingPool(threads: 2, costLimit: 10)
        let gate = Gate()
        let first = begin(pool, cost: 10, held: 3, gate: gate)
        await gate.waitForWaiters(1)
        let next = await queue(pool) { try await decode(pool, cost: 7, held: 7) }
        gate.open()
        let chain = try await first.value
        // Settled at its whole cost, for later jobs.
        #expect(pool.load.waiting == 1 && pool.reserved == 10)
        chain.settle(held: 3, total: 3)
        _ = try await next.value
    }

    @Test(.requirement("C1")) func `a result larger than expected counts nevertheless`() async throws {
        let pool = BlockingPool(threads: 1, costLimit: 10)
        let chain = try await decode(pool, cost: 4, held: 20)
        #expect(pool.reserved == 20)
        withExtendedLifetime(chain) {}
    }

    @Test(.requirement("C1")) func `later jobs of chains start before all that begin one`() async throws {
        let pool = BlockingPool(threads: 1, costLimit: 100)
        let chain = try await decode(pool, cost: 10, held: 5)
        let gate = Gate()
        let running = Task { try await pool.run { () throws(LoadError) in gate.waitBlocking() } }
        await gate.waitForWaiters(1)
        let tasks = [
            await queue(pool) { [log] in
                try await DynamicPriority.$current.withValue(DynamicPriority(.veryHigh)) {
                    try await pool.run(cost: 1) { () throws(LoadError) in log.add("new") }
                }
            },
            await queue(pool) { [log] in
                try await pool.run(within: chain, cost: 5) { () throws(LoadError) in log.add("later") }
            },
        ]
        gate.open()
        for task in tasks { try await task.value }
        try await running.value
        #expect(log.entries == ["later", "new"])
    }

    @Test(.requirement("C1")) func `a later job takes its cost from the reservation, and gives it back`() async throws {
        let pool = BlockingPool(threads: 1, costLimit: 10)
        let chain = try await decode(pool, cost: 10, held: 4)
        for _ in 0..<3 {
            try await pool.run(within: chain, cost: 6) { () throws(LoadError) in #expect(pool.reserved == 10) }
        }
        await waitUntil { pool.load.running == 0 }
        #expect(pool.reserved == 10)
    }

    @Test(.requirement("C1")) func `a chain above the whole limit runs alone, from its first job to its last`()
        async throws
    {
        let pool = BlockingPool(threads: 4, costLimit: 10)
        var chain: PoolReservation? = try await decode(pool, cost: 1_000, held: 50)
        let others = [
            await queue(pool) { try await pool.run(cost: 1) { () throws(LoadError) in } },
            await queue(pool) { try await pool.run { () throws(LoadError) in } },
        ]
        if let chain {
            try await pool.run(within: chain, cost: 900) { () throws(LoadError) in #expect(pool.load.waiting == 2) }
        }
        #expect(pool.load.waiting == 2)
        chain = nil
        for other in others { try await other.value }
        #expect(chain == nil)
    }

    // MARK: Growth

    @Test(.requirement("C1")) func `a later job that costs more waits until it fits`() async throws {
        let pool = BlockingPool(threads: 2, costLimit: 10)
        let exceeding = try await decode(pool, cost: 2, held: 2), small = try await decode(pool, cost: 1, held: 1)
        let gate = Gate()
        // The one chain that may exceed the limit.
        let first = Task {
            try await pool.run(within: exceeding, cost: 20) { () throws(LoadError) in gate.waitBlocking() }
        }
        await gate.waitForWaiters(1)
        #expect(pool.reserved == 23)
        let other = await queue(pool) { try await pool.run(within: small, cost: 5) { () throws(LoadError) in } }
        await waitUntil { pool.load == (1, 1) }
        gate.open()
        try await first.value
        try await other.value
    }

    @Test(.requirement("C1"), arguments: [0, 1, 7])
    func `chains that all need more than they reserved end one after the other`(limit: Int) async throws {
        let pool = BlockingPool(threads: 3, costLimit: limit)
        let peak = Locked(0)
        let shared = try await decode(pool, cost: 1, held: 1)
        // All continue from one result, as the requests do that wait for one image before their last steps. Each keeps its
        // own result until it is encoded.
        let tasks = (0..<100).map { _ in
            Task {
                let result = try await pool.run(within: shared, reserving: 10) { (reservation) throws(LoadError) in
                    peak.withLock { $0 = max($0, pool.reserved) }
                    reservation.settle(held: 10, total: 10)
                }.1
                try await pool.run(within: result, cost: 5) { () throws(LoadError) in
                    peak.withLock { $0 = max($0, pool.reserved) }
                }
            }
        }
        for task in tasks { try await task.value }
        // The shared result, and one chain at a time.
        #expect(peak.withLock { $0 } <= max(limit, 1) + 10 + 5)
    }

    @Test(.requirement("C1")) func `chains that branch from a chain above the limit end, too`() async throws {
        let pool = BlockingPool(threads: 1, costLimit: 1)
        let root = try await decode(pool, cost: 1, held: 1)
        let peak = Locked(0)
        @Sendable func branch(_ earlier: PoolReservation, _ depth: Int) async throws {
            guard depth > 0 else { return }
            let result = try await decode(pool, within: earlier, cost: 10, held: 10)
            peak.withLock { $0 = max($0, pool.reserved) }
            let branches = (0..<4).map { _ in Task { try await branch(result, depth - 1) } }
            for task in branches { try await task.value }
        }
        let branches = (0..<4).map { _ in Task { try await branch(root, 4) } }
        for task in branches { try await task.value }
        #expect(peak.withLock { $0 } <= 1 + 4 * 10)
        await waitUntil { pool.load.running == 0 }
        #expect(pool.reserved == 1)
        withExtendedLifetime(root) {}
    }

    @Test(.requirement("C1")) func `a covered job within a chain above the limit may grow later`() async throws {
        let pool = BlockingPool(threads: 1, costLimit: 1)
        let root = try await decode(pool, cost: 1, held: 1)
        let exceeding = try await decode(pool, within: root, cost: 10, held: 10)
        let covered = try await decode(pool, within: exceeding, cost: 0, held: 0)
        try await pool.run(within: covered, cost: 10) { () throws(LoadError) in }
        withExtendedLifetime((root, exceeding)) {}
    }

    // MARK: Many at once

    @Test(.requirement("C1"), arguments: [1, 2], [0, 1, 50, .max])
    func `200 chains at once end, whatever the limit`(threads: Int, limit: Int) async throws {
        let pool = BlockingPool(threads: threads, costLimit: limit)
        let peak = Locked(0), ended = Log<Int>()
        let tasks = (0..<200).map { number in
            Task {
                let decoded = try await decode(pool, cost: 10, held: 4)
                let stepped = try await decode(pool, within: decoded, cost: 5, held: 3)
                try await pool.run(within: stepped, cost: 2) { () throws(LoadError) in
                    peak.withLock { $0 = max($0, pool.reserved) }
                }
                ended.add(number)
                withExtendedLifetime((decoded, stepped)) {}
            }
        }
        for task in tasks { try await task.value }
        #expect(ended.count == 200)
        if limit < .max { #expect(peak.withLock { $0 } <= max(limit, 10)) }
        await waitUntil { pool.load.running == 0 }
        #expect(pool.reserved == 0)
    }

    /// Chains with random costs, branches, priorities, failures and cancellations.
    @Test(.requirement("C1"), .timeLimit(.minutes(5)), arguments: 0..<60)
    func `chains of any costs end and leave nothing reserved`(seed: Int) async throws {
        let pool = BlockingPool(threads: 1 + seed % 2, costLimit: [1, 20, 100][seed % 3], queueLimit: 50)
        var shared: PoolReservation? = try await decode(pool, cost: 3, held: 2)
        let chains = (0..<100).map { number in
            let (priority, known) = (DynamicPriority(), number % 3 == 0 ? shared : nil)
            let task = DynamicPriority.$current.withValue(priority) {
                Task {
                    let first: PoolReservation
                    if let known {
                        first = known
                    } else {
                        first = try await decode(pool, cost: .any(30), held: .any(10))
                    }
                    let second = try await decode(pool, within: first, cost: .any(20), held: .any(10))
                    let branches = (0..<3).map { _ in
                        Task {
                            let last = try await decode(pool, within: second, cost: .any(20), held: 5)
                            try await pool.run(within: last, cost: 7) { () throws(LoadError) in }
                        }
                    }
                    for branch in branches { _ = await branch.result }
                    try await pool.run(within: second, cost: 2) { () throws(LoadError) in
                        if Int.any(10) == 0 { throw .broken }
                    }
                }
            }
            return (task, priority)
        }
        shared = nil
        for (task, priority) in chains {
            if Int.any(3) == 0 { task.cancel() }
            if Int.any(3) == 0 { priority.value = .high }
            await Task.yield()
        }
        for (task, _) in chains { _ = await task.result }
        await waitUntil { pool.load == (0, 0) && pool.reserved == 0 }
        #expect(shared == nil)
    }

    // MARK: Ends

    enum Stage: CaseIterable { case first, step, last }

    @Test(.requirement("C1"), arguments: Stage.allCases)
    func `a chain cancelled in the queue gives its reservation back`(at stage: Stage) async throws {
        let pool = BlockingPool(threads: 1, costLimit: 10)
        let gate = Gate()
        let isAhead = Gate()
        let chain = Task {
            if stage == .first { await isAhead.wait() }
            let decoded = try await decode(pool, cost: 10, held: 4)
            if stage == .step { await isAhead.wait() }
            let stepped = try await decode(pool, within: decoded, cost: 6, held: 4)
            if stage == .last { await isAhead.wait() }
            try await pool.run(within: stepped, cost: 2) { () throws(LoadError) in _ = Issue.record("must not run") }
        }
        await isAhead.waitForWaiters(1)
        await waitUntil { pool.load.running == 0 }
        let blocking = Task {
            try await pool.run(within: PoolReservation?.none) { () throws(LoadError) in gate.waitBlocking() }
        }
        await gate.waitForWaiters(1)
        isAhead.open()
        await waitUntil { pool.load.waiting == 1 }
        chain.cancel()
        await #expect(throws: LoadError.cancelled) { try await chain.value }
        #expect(pool.load.waiting == 0 && pool.reserved == 0)
        gate.open()
        try await blocking.value
    }

    @Test(.requirement("C1")) func `a job that fails gives its reservation back`() async throws {
        let pool = BlockingPool(threads: 1, costLimit: 10)
        let chain = try await decode(pool, cost: 10, held: 4)
        await #expect(throws: LoadError.broken) {
            try await pool.run(within: chain, reserving: 6) { (_) throws(LoadError) in throw .broken }
        }
        await #expect(throws: LoadError.broken) {
            try await pool.run(reserving: 0) { (_) throws(LoadError) in throw .broken }
        }
        await waitUntil { pool.reserved == 4 }
        withExtendedLifetime(chain) {}
    }

    @Test(.requirement("C1")) func `a cancelled job above the limit passes the permission on`() async throws {
        let pool = BlockingPool(threads: 1, costLimit: 1)
        let chains = [try await decode(pool, cost: 1, held: 1), try await decode(pool, cost: 0, held: 0)]
        let gate = Gate()
        let blocking = Task { try await pool.run(within: chains[1]) { () throws(LoadError) in gate.waitBlocking() } }
        await gate.waitForWaiters(1)
        let first = await queue(pool) { try await pool.run(within: chains[0], cost: 9) { () throws(LoadError) in } }
        let second = await queue(pool) { try await pool.run(within: chains[1], cost: 9) { () throws(LoadError) in } }
        first.cancel()
        await #expect(throws: LoadError.cancelled) { try await first.value }
        gate.open()
        try await second.value
        try await blocking.value
    }

    @Test(.requirement("C1")) func `a full queue refuses new chains, and no later jobs`() async throws {
        let pool = BlockingPool(threads: 1, costLimit: 10, queueLimit: 1)
        let chain = try await decode(pool, cost: 4, held: 2)
        let gate = Gate()
        let running = Task { try await pool.run(within: chain) { () throws(LoadError) in gate.waitBlocking() } }
        await gate.waitForWaiters(1)
        let waiting = await queue(pool) { try await decode(pool, cost: 1, held: 1) }
        await #expect(throws: LoadError.overloaded) { try await decode(pool, cost: 1, held: 1) }
        let later = await queue(pool) { try await pool.run(within: chain, cost: 2) { () throws(LoadError) in } }
        gate.open()
        try await running.value
        _ = try await waiting.value
        try await later.value
    }

    @Test(.requirement("C1")) func `a raised priority orders later jobs, too`() async throws {
        let pool = BlockingPool(threads: 1, costLimit: 10)
        let chain = try await decode(pool, cost: 10, held: 2)
        let gate = Gate()
        let running = Task { try await pool.run(within: chain) { () throws(LoadError) in gate.waitBlocking() } }
        await gate.waitForWaiters(1)
        let raised = DynamicPriority(.low)
        let first = await queue(pool) { [log] in
            try await pool.run(within: chain, cost: 1) { () throws(LoadError) in log.add("normal") }
        }
        let second = await queue(pool) { [log] in
            try await DynamicPriority.$current.withValue(raised) {
                try await pool.run(within: chain, cost: 1) { () throws(LoadError) in log.add("raised") }
            }
        }
        raised.value = .high
        gate.open()
        for task in [running, first, second] { try await task.value }
        #expect(log.entries == ["raised", "normal"])
    }
}

extension Int {
    fileprivate static func any(_ limit: Int) -> Int { Int.random(in: 0...limit) }
}
