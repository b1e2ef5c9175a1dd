import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer

/// What a node does while it may lack purges of others: at its start, and when it is cut off.
struct UnknownPurgesTests {
    private let objects = MemoryObjectStore()
    private let time = ManualClock()
    private static let target: ByteString = "/_/w:10/plain/local:///cat.jpg@png"

    private func node(_ unknown: UnknownPurges) throws -> TestServer {
        let node = try TestServer { options in
            options.clock = time
            options.unknown = unknown
            let bucket = BucketFeed(objects: objects, folder: "purges/", age: 86_400, setReadable: { _ in })
            options.purgeObjects = { _ in bucket }
        }
        try node.write(SamplePhotos.jpeg(width: 64, height: 48), "cat.jpg")
        return node
    }

    private func cutOff(_ node: TestServer) async throws {
        objects.update { $0.failure = TransportError(.cannotConnect, "connection refused") }
        time.advance(by: PurgeKnowledge.silence + .seconds(1))
        node.clock.advance(by: PurgeKnowledge.silence + .seconds(1))
        await node.server.fleet.sync.update()
    }

    @Test(.requirement("V46")) func `a node that refuses answers nothing before it knows the purges, and is not ready`()
        async throws
    {
        objects.gate.close()
        let node = try node(.refuse)
        await objects.gate.waitForWaiters(1)
        // Nor later.
        await time.waitForSleepers(3)
        time.advance(by: PurgeKnowledge.readyLimit)
        let answer = try await node.get(Self.target)
        let reason = "the purges of other nodes are not known yet"
        #expect(answer.status == 503 && answer.text.contains(reason) && answer.fields["Retry-After"] == "10")
        #expect(node.server.unreadiness == reason && node.server.encodes == 0)
        objects.gate.open()
        await waitUntil { node.server.isReady }
        #expect(try await node.get(Self.target).status == 200)
    }

    @Test(.requirement("V46")) func `a node that refuses answers nothing while it is cut off, and is not ready`()
        async throws
    {
        let node = try node(.refuse)
        await waitUntil { node.server.isReady }
        #expect(try await node.get(Self.target).status == 200)
        try await cutOff(node)
        let reason = "the far store has not answered for 30 s"
        let answer = try await node.get(Self.target)
        #expect(answer.status == 503 && answer.text.contains(reason) && node.server.unreadiness == reason)
        objects.update { $0.failure = nil }
        await node.server.fleet.sync.update()
        #expect(try await node.get(Self.target).outcome == "hit" && node.server.isReady)
    }

    @Test(.requirement("V46"), arguments: UnknownPurges.allCases)
    func `a node that is cut off sends, makes or refuses results, and forgets none`(unknown: UnknownPurges) async throws
    {
        let node = try node(unknown)
        await waitUntil { node.server.isReady }
        #expect(try await node.get(Self.target).outcome == "made")
        try await cutOff(node)
        let answer = try await node.get(Self.target)
        switch unknown {
        case .send: #expect(answer.outcome == "hit" && node.server.encodes == 1)
        case .make: #expect(answer.outcome == "made" && node.server.encodes == 2)
        case .refuse: #expect(answer.status == 503 && node.server.encodes == 1)
        }
        objects.update { $0.failure = nil }
        await node.server.fleet.sync.update()
        #expect(try await node.get(Self.target).outcome == "hit")
    }
}
