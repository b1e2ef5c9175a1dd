import CalotypeTesting
import Foundation

extension Scenario {
    /// The work of three nodes when many clients request images that none of them has.
    static let fleetHerd = Scenario(
        name: "fleet-herd",
        summary:
            "calotype serve: fetches and decodes of three nodes, for one image and 300 clients, and for 150 × 4 sizes"
    ) { bench in
        guard let haproxy = Haproxy.executable else {
            return bench.printer.note("fleet-herd: skipped, haproxy is not installed")
        }
        let fleet = try await NodeFleet(haproxy: haproxy, photo: Photographs.medium)
        let (fetches, decodes) = try await herd(of: 300, on: fleet)
        bench.report(
            "fleet-herd-fetches", with: "limit", unit: "fetches", bar: .atMost(1), [(Double(fetches), 1)])
        bench.report(
            "fleet-herd-decodes", with: "limit", unit: "decodes", bar: .atMost(1), [(Double(decodes), 1)])
        let before = fleet.fetches
        try await fleet.load(fleet.thumbnails(of: "sizes", sources: 150), connections: 32)
        bench.report(
            "fleet-herd-sizes", with: "sources", unit: "fetches", bar: .atMost(1),
            [(Double(fleet.fetches - before), 150)])
    }

    /// Has clients request one thumbnail at once. Returns the work that they caused.
    private static func herd(of count: Int, on fleet: NodeFleet) async throws -> (fetches: Int, decodes: Int) {
        let gate = Gate()
        fleet.origin.on("/herd.jpg", NodeFleet.reply(Photographs.medium).held(by: gate))
        let url = try fleet.url + ThumbnailURL.path(fleet.origin.url("/herd.jpg").absoluteString, width: 400)
        let client = ThumbnailClient(connections: count)
        let clients = (0..<count).map { _ in Task { _ = try await client.thumbnail(url) } }
        await fleet.origin.waitForRequests(1)
        // Give every client the time to send its request before the origin answers.
        try await Task.sleep(for: .seconds(1))
        gate.open()
        for client in clients { try await client.value }
        var decodes = 0
        for node in 0..<fleet.count { decodes += try await fleet.process(node).decodes() }
        return (fleet.fetches, decodes)
    }
}
