import Foundation

extension Scenario {
    /// The sources that are fetched again when all nodes are replaced by new ones with empty disks.
    static let fleetRoll = Scenario(
        name: "fleet-roll",
        summary:
            "calotype serve: errors and fetches while three nodes get empty disks in turn, with a far store and without"
    ) { bench in
        guard let haproxy = Haproxy.executable else {
            return bench.printer.note("fleet-roll: skipped, haproxy is not installed")
        }
        var errors = 0
        var fetches: [(ours: Double, baseline: Double)] = []
        for _ in 0..<(bench.isQuick ? 1 : 3) {
            let without = try await roll(of: try await NodeFleet(haproxy: haproxy, photo: Photographs.small))
            let store = try ObjectStoreProcess()
            let fleet = try await NodeFleet(haproxy: haproxy, photo: Photographs.small, options: store.results("roll"))
            let with = try await roll(of: fleet, over: store)
            errors += without.errors + with.errors
            fetches.append((Double(with.fetches), Double(without.fetches)))
        }
        bench.report(
            "fleet-roll-errors", with: "none; one is added", unit: "errors", bar: .exactly(1), [(Double(errors + 1), 1)]
        )
        bench.report("fleet-roll", with: "without far store", unit: "fetches", bar: .atMost(0.1), fetches)
    }

    /// Replaces each node in turn by one with an empty disk, while clients request images that the fleet has.
    ///
    /// - Parameter store: The far store of the fleet, which gets each result when a node answers with the stored one a second time.
    private static func roll(
        of fleet: NodeFleet, over store: ObjectStoreProcess? = nil
    ) async throws -> (errors: Int, fetches: Int) {
        let urls = try fleet.thumbnails(of: "roll", sources: 200)
        for _ in 0..<3 { try await fleet.load(urls) }
        try await store?.waitForResults(urls.count)
        let fetched = fleet.fetches
        let load = FleetLoad(urls)
        for node in 0..<fleet.count {
            fleet.end(node)
            fleet.replaceDisk(of: node)
            try await load.pass()
            try await fleet.start(node)
            try await load.pass()
        }
        return (await load.end(), fleet.fetches - fetched)
    }
}
