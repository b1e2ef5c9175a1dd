import Calotype
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The timeouts of exchanges, and the deadline of a request as a whole.
@Suite struct TimeoutTests {
    private let clock = ManualClock()

    private func room(
        gate: Gate = Gate(isOpen: true), decodeHook: (@Sendable () -> Void)? = nil,
        options change: (inout ImageLoaderOptions) -> Void = { _ in }
    ) -> LoaderFixture {
        LoaderFixture(gate: gate, decodeHook: decodeHook) { options in
            options.clock = clock
            change(&options)
        }
    }

    private func photo(_ name: Int = 1, deadline: Duration? = .seconds(5)) -> ImageRequest {
        var request = ImageRequest(.photo(name))
        request.deadline = deadline
        return request
    }

    // MARK: Of an exchange

    @Test(.requirement("D4.10", "S4.31")) func `the loader's timeouts count for requests that set none of their own`()
        async throws
    {
        let room = room(options: {
            $0.timeouts = HTTPRequest.Timeouts(connect: .seconds(1), idle: .seconds(2), total: .seconds(3))
        })
        _ = try await room.loader.fetch(URL.photo(1))
        let own = HTTPRequest.Timeouts(connect: .seconds(4), idle: .seconds(5), total: .seconds(6))
        _ = try await room.loader.fetch(ImageRequest(source: .request(HTTPRequest(.photo(2), timeouts: own))))
        var idle = URLRequest(url: .photo(3))
        idle.timeoutInterval = 7
        _ = try await room.loader.fetch(idle)
        let sent = room.transport.requests.map(\.timeouts)
        #expect(sent.map(\.connect) == [.seconds(1), .seconds(4), .seconds(1)])
        #expect(sent.map(\.idle) == [.seconds(2), .seconds(5), .seconds(7)])
        #expect(sent.map(\.total) == [.seconds(3), .seconds(6), .seconds(3)])
        // A total timeout replaces the pace.
        #expect(sent.map(\.pace) == [nil, nil, nil])
    }

    @Test func `a request that prepare makes anew has the loader's timeouts, too`() async throws {
        let room = room(options: {
            $0.timeouts = HTTPRequest.Timeouts(idle: .seconds(2), pace: HTTPRequest.Pace(bytesPerSecond: 9))
            $0.prepare = { HTTPRequest($0.url) }
        })
        _ = try await room.loader.fetch(URL.photo(1))
        #expect(room.transport.requests[0].timeouts.idle == .seconds(2))
        #expect(room.transport.requests[0].timeouts.pace == HTTPRequest.Pace(bytesPerSecond: 9))
    }

    // MARK: Of a request as a whole

    @Test func `a request that waits for its download ends at its deadline, and sends nothing`() async {
        let gate = Gate()
        let room = room(gate: gate, options: { $0.downloads = 1 })
        let first = Task { try await room.loader.fetch(URL.photo(1)) }
        await gate.waitForWaiters(1)
        let second = Task { await imageError { try await room.loader.fetch(photo(2)) } }
        await waitUntil { room.loader.statistics.downloadQueue == 1 }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
        let error = await second.value
        #expect(error?.code == .timedOut && error?.url == .photo(2))
        #expect(error?.message.contains("deadline") == true)
        await waitUntil { room.loader.statistics.downloadQueue == 0 }
        gate.open()
        _ = try? await first.value
        #expect(room.transport.requests.map(\.url) == [.photo(1)])
    }

    @Test func `a download ends at the deadline of the last who waits for it`() async {
        let gate = Gate()
        let room = room(gate: gate)
        let hasty = Task { await imageError { try await room.loader.fetch(photo()) } }
        let patient = Task { await imageError { try await room.loader.fetch(photo(deadline: .seconds(9))) } }
        await room.waitForWaiters(images: 2, sources: 1)
        await gate.waitForWaiters(1)
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(5))
        #expect(await hasty.value?.code == .timedOut)
        #expect(room.transport.cancelledCount == 0)
        clock.advance(by: .seconds(4))
        #expect(await patient.value?.code == .timedOut)
        await room.transport.waitForCancellations(1)
        #expect(room.transport.requestCount == 1)
        gate.open()
    }

    @Test func `a caller leaves a decode that takes too long; encoding and animations have the same deadline`() async {
        let gate = Gate()
        let room = room(
            decodeHook: { gate.waitBlocking() },
            options: {
                $0.deadline = .seconds(5)
                $0.codecThreads = 3
            })
        let loader = room.loader
        let loads: [@Sendable () async throws -> Void] = [
            { _ = try await loader.fetch(URL.photo(1)) },
            { _ = try await loader.data(for: ImageRequest(.photo(2)), encodedAs: .png) },
            { for try await _ in loader.events(for: ImageRequest(.photo(3))) {} },
        ]
        let tasks = loads.map { load in Task { await imageError { try await load() } } }
        await gate.waitForWaiters(3)
        await clock.waitForSleepers(3)
        clock.advance(by: .seconds(5))
        for task in tasks { #expect(await task.value?.code == .timedOut) }
        gate.open()
    }

    @Test func `bytes and animations have the deadline, too`() async {
        let gate = Gate()
        let room = room(gate: gate, options: { $0.deadline = .seconds(60) })
        let bytes = Task { await imageError { try await room.loader.data(for: photo(1)) } }
        let animation = Task { await imageError { try await room.loader.animation(for: photo(2)) } }
        await clock.waitForSleepers(2)
        // The request's own timeout takes precedence over the loader's.
        clock.advance(by: .seconds(5))
        #expect(await bytes.value?.code == .timedOut)
        #expect(await animation.value?.code == .timedOut)
        gate.open()
    }

    @Test func `one deadline counts for all alternatives together`() async {
        let gate = Gate()
        let clock = clock
        let room = LoaderFixture(options: { $0.clock = clock }) { request throws(TransportError) in
            if request.url == .photo(1) { throw TransportError(.cannotConnect, "nobody there") }
            await gate.wait()
            return .picture(request)
        }
        var request = photo(1)
        request.alternatives = [.url(.photo(2)), .url(.photo(3))]
        let load = Task { [request] in await imageError { try await room.loader.fetch(request) } }
        await gate.waitForWaiters(1)
        clock.advance(by: .seconds(5))
        #expect(await load.value?.code == .timedOut)
        gate.open()
        #expect(room.transport.requests.map(\.url) == [.photo(1), .photo(2)])
    }

    @Test(.requirement("C3")) func `an image in memory comes whatever the deadline, and a miss is counted once`()
        async throws
    {
        let room = room()
        _ = try await room.loader.fetch(photo())
        #expect(room.loader.statistics.memory.misses == 1)
        #expect(try await room.loader.fetch(photo(deadline: .zero)).width == 4)
        #expect(room.loader.statistics.memory.hits == 1 && room.loader.statistics.memory.misses == 1)
        #expect(clock.sleepers == 0)
    }

    @Test func `a load that is over in time leaves no timer behind`() async throws {
        let room = room()
        #expect(try await room.loader.fetch(photo()).width == 4)
        await waitUntil { clock.sleepers == 0 }
        let cancelled = Task { await imageError { try await room.loader.fetch(photo(2)) } }
        cancelled.cancel()
        _ = await cancelled.value
        await waitUntil { clock.sleepers == 0 }
    }
}
