import CalotypeBase
import CalotypeTesting
import TestSupport
import Requirements
import Testing
import Waiting

/// Work that runs in the task of another flight, which needs its result.
struct HostedFlightTests {
    private typealias Flights = Coordinator<String, Int, Int, LoadError>

    private let outer = Flights(cancelled: .cancelled)
    private let inner = Flights(cancelled: .cancelled)

    /// Starts an outer flight whose work needs an inner one, and returns when a caller waits for it.
    private func start(
        _ key: String, inner innerKey: String = "bytes", onUpdate: (@Sendable (Int) -> Void)? = nil,
        work: @escaping @Sendable (Coordinator<String, Int, Int, LoadError>.Flight) async -> Result<Int, LoadError>
    ) async -> Task<Int, any Error> {
        let before = (outer.waiterCount(for: key), inner.waiterCount(for: innerKey))
        let task = Task { [outer, inner] in
            try await outer.value(for: key, onUpdate: onUpdate) { flight in
                do throws(LoadError) {
                    return .success(try await inner.value(for: innerKey, within: flight, work: work) + 1)
                } catch {
                    return .failure(error)
                }
            }
        }
        await waitUntil { outer.waiterCount(for: key) > before.0 && inner.waiterCount(for: innerKey) > before.1 }
        return task
    }

    private func joinInner(
        _ priority: DynamicPriority? = nil, onUpdate: (@Sendable (Int) -> Void)? = nil
    ) async -> Task<Int, any Error> {
        let before = inner.waiterCount(for: "bytes")
        let task = Task { [inner] in
            try await inner.value(for: "bytes", priority: priority, onUpdate: onUpdate) { _ in .failure(.broken) }
        }
        await waitUntil { inner.waiterCount(for: "bytes") > before }
        return task
    }

    @Test(.requirement("B4")) func `two that are in need of the same share it, whoever does it`() async throws {
        let gate = Gate()
        let runs = Log<Int>()
        let work: @Sendable (Coordinator<String, Int, Int, LoadError>.Flight) async -> Result<Int, LoadError> = { _ in
            runs.add(1)
            await gate.wait()
            return .success(10)
        }
        let small = await start("small", work: work)
        let large = await start("large", work: work)
        #expect(inner.waiterCount(for: "bytes") == 2)
        gate.open()
        #expect(try await small.value == 11)
        #expect(try await large.value == 11)
        #expect(runs.count == 1)
        #expect(inner.count == 0 && outer.count == 0)
    }

    @Test(.requirement("B13")) func `work that others are in need of goes on when those who started it have left`()
        async throws
    {
        let gate = Gate()
        let small = await start("small") { _ in
            await gate.wait()
            return Task.isCancelled ? .failure(.cancelled) : .success(10)
        }
        let other = await joinInner()
        small.cancel()
        await #expect(throws: LoadError.cancelled) { try await small.value }
        #expect(!outer.isInFlight("small"))
        gate.open()
        #expect(try await other.value == 10)
        #expect(inner.count == 0)
    }

    @Test(.requirement("B13"), arguments: [true, false])
    func `the last to leave stops it, whether the host went before or after`(hostFirst: Bool) async {
        let gate = Gate()
        let ended = Log<Bool>()
        let host = await start("small") { _ in
            while !Task.isCancelled { await Task.yield() }
            ended.add(true)
            await gate.wait()
            return .success(0)
        }
        let other = await joinInner()
        for task in hostFirst ? [host, other] : [other, host] {
            task.cancel()
            await #expect(throws: LoadError.cancelled) { try await task.value }
        }
        await waitUntil { ended.count == 1 }
        gate.open()
        await waitUntil { inner.count == 0 }
    }

    @Test(.requirement("B16")) func `whoever comes when all have left starts it afresh, though it has not ended yet`()
        async throws
    {
        let gate = Gate()
        let given = await start("small") { _ in
            // In another task, which does not end with this one.
            await Task.detached { await gate.wait() }.value
            return .success(1)
        }
        given.cancel()
        await #expect(throws: LoadError.cancelled) { try await given.value }
        #expect(inner.isInFlight("bytes"))
        #expect(try await inner.value(for: "bytes") { _ in .success(2) } == 2)
        gate.open()
        await waitUntil { inner.count == 0 }
    }

    @Test(.requirement("B21")) func `it is as urgent as the most urgent in need of it, and follows them up and down`()
        async throws
    {
        let gate = Gate()
        let flights = Log<Coordinator<String, Int, Int, LoadError>.Flight>()
        let host = await start("small") { flight in
            flights.add(flight)
            await gate.wait()
            return .success(0)
        }
        await gate.waitForWaiters(1)
        let priority = try #require(flights.entries.first).task.priority
        #expect(priority.value == .normal)
        let changing = DynamicPriority(.low)
        let other = await joinInner(changing)
        #expect(priority.value == .normal)
        changing.value = .veryHigh
        #expect(priority.value == .veryHigh)
        other.cancel()
        await #expect(throws: LoadError.cancelled) { try await other.value }
        await waitUntil { priority.value == .normal }
        gate.open()
        _ = try await host.value
    }

    @Test(.requirement("B10")) func `its updates reach those who wait for it and those who wait for its host`()
        async throws
    {
        let gate = Gate()
        let (hosts, others) = (Log<Int>(), Log<Int>())
        let host = await start("small", onUpdate: { hosts.add($0) }) { flight in
            flight.report(1)
            await gate.wait()
            flight.report(2)
            return .success(0)
        }
        await gate.waitForWaiters(1)
        let other = await joinInner(onUpdate: { others.add($0) })
        await waitUntil { others.count == 1 }
        gate.open()
        _ = try await (host.value, other.value)
        #expect(hosts.entries == [1, 2])
        #expect(others.entries == [1, 2])
    }
}
