import Foundation

extension Scenario {
    /// The sources that are fetched again when a node is killed under load and comes back with its disk.
    static let fleetKill = Scenario(
        name: "fleet-kill",
        summary: "calotype serve: errors and fetches while one of three nodes is killed and comes back, 20 times"
    ) { bench in
        guard let haproxy = Haproxy.executable else {
            return bench.printer.note("fleet-kill: skipped, haproxy is not installed")
        }
        let fleet = try await NodeFleet(haproxy: haproxy, photo: Photographs.small)
        var errors = 0
        var fetches: [(ours: Double, baseline: Double)] = []
        for round in 0..<(bench.isQuick ? 5 : 20) {
            let kill = try await kill(round % fleet.count, of: fleet, round)
            errors += kill.errors
            fetches.append(kill.fetches)
        }
        bench.report(
            "fleet-kill-errors", with: "none; one is added", unit: "errors", bar: .exactly(1), [(Double(errors + 1), 1)]
        )
        // One kill beyond the bar is too many: the figure is that of the worst.
        let worst = fetches.max { $0.ours / $0.baseline < $1.ours / $1.baseline }
        bench.report(
            "fleet-kill", with: "its share and 5 %", unit: "fetches", bar: .atMost(1), worst.map { [$0] } ?? [])
    }

    /// Kills a node while clients request images that the fleet has, and starts it again.
    ///
    /// - Returns: The errors, and the sources fetched again beside those of the node and 5 % of all.
    private static func kill(
        _ node: Int, of fleet: NodeFleet, _ round: Int
    ) async throws -> (errors: Int, fetches: (ours: Double, baseline: Double)) {
        let sources = 200
        let urls = try fleet.thumbnails(of: "kill-\(round)", sources: sources)
        let before = try await fleet.process(node).metric("origin_responses_total")
        try await fleet.load(urls)
        let share = try await fleet.process(node).metric("origin_responses_total") - before
        let fetched = fleet.fetches
        let load = FleetLoad(urls)
        try await load.pass()
        fleet.end(node, by: SIGKILL)
        try await load.pass()
        try await fleet.start(node)
        try await load.pass()
        return (await load.end(), (Double(fleet.fetches - fetched), share + 0.05 * Double(sources)))
    }
}
