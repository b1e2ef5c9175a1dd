import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer

/// Far results of sources that another node has purged.
struct FarResultPurgeTests {
    /// The time limits of the nodes. Their lists happen at their start alone.
    private let time = ManualClock()

    private func fleetNode(_ fleet: FarFleet) async throws -> TestServer {
        let node = try fleet.node {
            $0.purgeObjects = Surroundings().purgeObjects
            $0.clock = time
        }
        await waitUntil { node.server.isReady }
        return node
    }

    private func purge(_ body: String, on node: TestServer) async throws {
        let body = Data(body.utf8)
        #expect(try await node.server.fleet.take(PurgeOrder(body), body).failure == nil)
    }

    @Test(.requirement("V46"), arguments: ["hard", "soft"])
    func `a node with an empty disk uses no far result from before a purge of another node`(mode: String) async throws {
        let fleet = try FarFleet()
        fleet.origin.on("/images/a.jpg", WebServer.reply("max-age=100000"))
        let first = try await fleetNode(fleet)
        let old = try await fleet.fill(first)
        let pages = fleet.objects.now.objects
        try await purge(#"{"prefix":"\#(fleet.origin.url("/images"))","soft":\#(mode == "soft")}"#, on: first)
        fleet.objects.update { $0.objects.merge(pages) { $1 } }
        fleet.clock.advance(by: .seconds(20))
        fleet.origin.on("/images/a.jpg", WebServer.reply("max-age=100000", tag: "\"v2\"", seed: 2))
        let second = try await fleetNode(fleet)
        let answer = try await fleet.get(second)
        // After a soft purge, the old one is sent while its source is loaded.
        #expect(answer.outcome == (mode == "hard" ? "made" : "stale"))
        #expect((answer.body == old.body) == (mode == "soft"))
    }

    // Its result is later than the purge, but its source is not.
    // A source whose response depends on further fields goes without its head.
    @Test(.requirement("V46"), arguments: [nil, "User-Agent"] as [ByteString?])
    func `a result of a node that did not know the purge yet is not used`(vary: ByteString?) async throws {
        let fleet = try FarFleet()
        var reply = WebServer.reply("max-age=100000")
        reply.fields["Vary"] = vary
        fleet.origin.on("/images/a.jpg", reply)
        let late = try await fleetNode(fleet)
        _ = try await fleet.get(late, width: 32)
        let first = try await fleetNode(fleet)
        try await purge(#"{"all":true}"#, on: first)
        fleet.clock.advance(by: .seconds(8))
        let old = try await fleet.fill(late)
        #expect(fleet.origin.requestCount() == 1)
        fleet.clock.advance(by: .seconds(20))
        fleet.origin.on("/images/a.jpg", WebServer.reply("max-age=100000", tag: "\"v2\"", seed: 2))
        for node in [first, try await fleetNode(fleet)] {
            #expect(try await fleet.get(node).body != old.body)
        }
    }

    // Others would take it for one from after a purge, once its time has come.
    @Test(.requirement("V46")) func `a node whose clock is wrong writes no far results`() async throws {
        let fleet = try FarFleet()
        fleet.origin.on("/images/a.jpg", WebServer.reply("max-age=100000"))
        fleet.objects.update { $0.date = fleet.clock.wall.now - 60 }
        let node = try fleet.node {
            $0.purgeObjects = Surroundings().purgeObjects
            $0.clock = time
        }
        await waitUntil { node.server.unreadiness?.contains("the clock is") == true }
        for _ in 0..<3 { _ = try await fleet.get(node) }
        await waitUntil { node.far.drops > 0 }
        #expect(fleet.objects.now.writes == [])
    }
}
