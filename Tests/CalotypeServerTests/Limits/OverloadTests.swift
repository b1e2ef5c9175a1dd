import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTesting
import TestSupport
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer

/// A server whose queue is full, because four renditions wait for a decoder.
@Suite(.timeLimit(.minutes(1))) struct OverloadTests {
    private let server: TestServer
    private let gate = Gate()
    private var queue: RenditionQueue { server.server.renditions.queue }

    init() throws {
        let gate = gate
        server = try TestServer {
            $0.queueLimit = 4
            // Four sizes of one file take all decoders.
            $0.sharesDecodes = false
            $0.decoders.register(HeldDecoder(gate: gate))
        }
        try server.write(HeldDecoder.file(), "held")
        try server.write(SamplePhotos.jpeg(width: 640, height: 480), "a.jpg")
    }

    private func get(_ name: String, width: Int) async throws -> TestServer.Answer {
        try await server.get("/_/w:\(width)/f:png/plain/local:///\(name)")
    }

    /// Begins four renditions of different sizes, which end when the gate opens.
    private func fill() async -> [Task<TestServer.Answer, any Error>] {
        let tasks = (1...4).map { width in Task { try await get("held", width: width) } }
        await waitUntil { queue.count == 4 }
        return tasks
    }

    @Test(.requirement("V25")) func `200 further renditions at once are 503, and hits and health go on`() async throws {
        let hit = try await get("a.jpg", width: 64)
        let tasks = await fill()
        let refused = (0..<200).map { number in Task { try await get("a.jpg", width: 100 + number) } }
        for task in refused {
            let answer = try await task.value
            #expect(answer.status == 503 && answer.fields["Retry-After"]?.asDigits ?? 0 >= 1)
            #expect(answer.text == "too many renditions are being made\n")
        }
        #expect(queue.count == 4)
        let again = try await get("a.jpg", width: 64)
        #expect(again.outcome == "hit" && again.body == hit.body)
        #expect(try await server.get("/health").status == 200)
        gate.open()
        for task in tasks { #expect(try await task.value.status == 200) }
        #expect(try await get("a.jpg", width: 100).status == 200 && queue.count == 0)
    }

    @Test(.requirement("V25")) func `a full queue of one client leaves room to another`() async throws {
        let tasks = await fill()
        #expect(try await get("held", width: 5).status == 503)
        func request(_ number: Int) throws -> RawClient {
            let client = try RawClient(port: server.port, from: 2)
            try client.get("/_/w:\(50 + number)/f:png/plain/local:///a.jpg", lines: ["Connection: close"])
            return client
        }
        func status(_ client: RawClient) async -> Substring { await client.receive().dropFirst(9).prefix(3) }
        // Two of the four places that are left.
        let others = try (1...2).map(request)
        await waitUntil { queue.count == 6 }
        #expect(await status(try request(3)) == "503")
        gate.open()
        for task in tasks { #expect(try await task.value.status == 200) }
        for other in others { #expect(await status(other) == "200") }
        #expect(queue.count == 0)
    }

    @Test(.requirement("V25")) func `equal renditions have one place`() async throws {
        let tasks = (0..<100).map { _ in Task { try await get("held", width: 1) } }
        // The first has a place when its source has been found, which may be after the others have joined it.
        await waitUntil { server.server.waiters >= 99 && queue.count > 0 }
        #expect(queue.count == 1)
        gate.open()
        for task in tasks { #expect(try await task.value.status == 200) }
    }

    @Test(.requirement("V25")) func `a full queue refuses no request for a rendition in progress`() async throws {
        let tasks = await fill() + (1...4).map { width in Task { try await get("held", width: width) } }
        await waitUntil { server.server.waiters >= 4 }
        #expect(try await get("held", width: 5).status == 503)
        gate.open()
        for task in tasks { #expect(try await task.value.status == 200) }
        #expect(server.server.encodes == 4)
    }

    @Test(.requirement("V25")) func `a full queue refuses no result that only the store on disk has`() async throws {
        let gate = Gate()
        let server = try TestServer {
            $0.queueLimit = 1
            $0.store = "\($0.root)-store"
            $0.decoders.register(HeldDecoder(gate: gate))
        }
        try server.write(HeldDecoder.file(), "held")
        try server.write(SamplePhotos.jpeg(width: 640, height: 480), "a.jpg")
        func get(_ name: String, width: Int) async throws -> TestServer.Answer {
            try await server.get("/_/w:\(width)/f:png/plain/local:///\(name)")
        }
        let first = try await get("a.jpg", width: 64)
        let task = Task { try await get("held", width: 1) }
        await waitUntil { server.server.renditions.queue.count == 1 }
        server.server.results.cache.forgetMemory()
        let stored = try await get("a.jpg", width: 64)
        #expect(stored.outcome == "hit" && stored.body == first.body)
        #expect(try await get("a.jpg", width: 65).status == 503)
        gate.open()
        #expect(try await task.value.status == 200)
    }

    @Test(.requirement("V25")) func `a stale result is sent in place of a new one`() async throws {
        let first = try await get("a.jpg", width: 64)
        let tasks = await fill()
        try server.write(SamplePhotos.jpeg(width: 640, height: 480, seed: 2), "a.jpg")
        server.clock.advance(by: .seconds(61 + 3600))
        let stale = try await get("a.jpg", width: 64)
        #expect(stale.status == 200 && stale.body == first.body)
        gate.open()
        for task in tasks { #expect(try await task.value.status == 200) }
    }

    @Test func `a result that is still valid is confirmed without a place`() async throws {
        let first = try await get("a.jpg", width: 64)
        let tasks = await fill()
        server.clock.advance(by: .seconds(61 + 3600))
        let confirmed = try await get("a.jpg", width: 64)
        #expect(confirmed.outcome == "revalidated" && confirmed.body == first.body)
        gate.open()
        for task in tasks { #expect(try await task.value.status == 200) }
    }

    @Test func `renditions that their clients leave give their places back`() async throws {
        let tasks = await fill()
        for task in tasks { task.cancel() }
        await waitUntil { queue.count == 0 }
        gate.open()
        #expect(try await get("a.jpg", width: 64).status == 200)
    }
}
