import CalotypeBase
import CalotypeTesting
import TestSupport
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer

/// The end of a server that has requests in flight.
struct DrainTests {
    private let clock = ManualClock()
    private let gate = Gate()
    private let web: WebServer
    private var server: RenditionServer { web.server.server }

    init() throws {
        let clock = clock
        web = try WebServer(isStored: true) { options, _ in
            options.clock = clock
            // The limit of the end comes first.
            (options.fetchDeadline, options.requestDeadline) = (.seconds(100), .seconds(100))
        }
        web.origin.on("/images/a.jpg", WebServer.reply().held(by: gate))
    }

    /// The tasks that sleep while one download is under way: also those of the deadlines of the rendition and of the fetch.
    private static let sleepers = TestServer.idleSleepers + 2

    private func isReachable() -> Bool { (try? RawClient(port: web.server.port)) != nil }

    @Test(.requirement("V27")) func `a server is not ready during the delay, and takes connections`() async throws {
        web.origin.on("/images/b.jpg", WebServer.reply())
        #expect(server.isReady)
        let drain = Task { await server.drain(delay: .seconds(5), limit: .seconds(10)) }
        await clock.waitForSleepers(TestServer.idleSleepers + 1)
        #expect(!server.isReady)
        #expect(try await web.get("/images/b.jpg").status == 200)
        clock.advance(by: .seconds(5))
        #expect(await drain.value == 0)
        #expect(!isReachable())
    }

    @Test(.requirement("V27")) func `requests in flight end within the limit, and no other begins`() async throws {
        let request = Task { try await web.get() }
        await web.origin.waitForRequests(1)
        await clock.waitForSleepers(Self.sleepers)
        let drain = Task { await server.drain(delay: .zero, limit: .seconds(10)) }
        await clock.waitForSleepers(Self.sleepers + 1)
        await waitUntil { !isReachable() }
        clock.advance(by: .seconds(9))
        gate.open()
        #expect(try await request.value.status == 200)
        #expect(await drain.value == 0)
        #expect(server.metrics.values.cut == 0 && server.metrics.values.inFlight == 0)
    }

    @Test(.requirement("V27")) func `200 requests that take longer are cut and counted`() async throws {
        defer { gate.open() }
        let clients = try (1...200).map { width in
            let client = try RawClient(port: web.server.port)
            try client.get(web.thumbnail(width: width).string)
            return client
        }
        // They share the fetch of their source.
        await web.origin.waitForRequests(1)
        await waitUntil { server.metrics.values.inFlight == 200 }
        // The deadlines of 200 renditions and downloads.
        await clock.waitForSleepers(TestServer.idleSleepers + 400)
        let drain = Task { await server.drain(delay: .zero, limit: .seconds(10)) }
        await clock.waitForSleepers(TestServer.idleSleepers + 401)
        clock.advance(by: .seconds(10))
        #expect(await drain.value == 200)
        for client in clients { #expect(await client.receive().isEmpty) }
        await waitUntil { server.metrics.values.outcomes.first { $0.0 == .left }?.1 == 200 }
    }

    @Test func `the cancellation of the caller does not shorten the limit`() async throws {
        let request = Task { try await web.get() }
        await web.origin.waitForRequests(1)
        await clock.waitForSleepers(Self.sleepers)
        let drain = Task { await server.drain(delay: .seconds(1), limit: .seconds(10)) }
        drain.cancel()
        await clock.waitForSleepers(Self.sleepers + 1)
        clock.advance(by: .seconds(1))
        await waitUntil { !isReachable() }
        gate.open()
        #expect(try await request.value.status == 200)
        #expect(await drain.value == 0)
    }
}
