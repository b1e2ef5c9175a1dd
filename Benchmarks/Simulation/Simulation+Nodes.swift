extension Simulation {
    /// Prints the share of images that is fetched again when a node is lost, and when it comes back.
    func printNodes() {
        Table.title(
            "A node is lost, and comes back",
            "shares of the images that the fleet had fetched: fetched again in \(measured) requests without the node, with it "
                + "and its disk, and with an empty disk. Disks hold everything, exponent 0.8. Largest: the largest share of keys "
                + "of a node with 16 points (haproxy, weight 1) and with 160 (nginx; haproxy, weight 10)")
        Table.row(["nodes", "its share", "lost", "back", "back, empty", "largest (16)", "largest (160)"])
        for count in [3, 10, 30] {
            var pair = FleetPair(roomy(nodes: count), clients(0.8))
            let known = Double(pair.send(warmUp).changed.fetched)
            let fetchedAgain = [
                { (fleet: inout SimulatedFleet) in fleet.remove(0) }, { fleet in fleet.add(0) },
                { fleet in fleet.empty(0) },
            ].map { change in
                change(&pair.changed)
                let counts = pair.send(measured)
                return Double(counts.changed.fetched - counts.calm.fetched) / known
            }
            let shares = [HashRing.pointsOfHaproxy, HashRing.pointsOfNginx].map {
                HashRing.shares(ofNodes: count, keys: options.images, points: $0)
            }
            let figures = [shares[1][0]] + fetchedAgain + shares.map { $0.max() ?? 0 }
            Table.row(["\(count)"] + figures.map { Table.text($0) })
        }
    }

    /// Prints the work of a deployment that replaces three nodes in turn.
    func printEmptyDisks() {
        Table.title(
            "Three nodes replaced in turn",
            "each away for \(away) requests, then \(after). Shares of the results made and originals fetched before; reads of the "
                + "far store, and writes to it before, for each of these results. Disks hold everything, exponent 0.8")
        Table.row(["", "made again", "fetched again", "far reads", "far writes"])
        let tier = results / 3 * Int(ByteSizes.result)
        for (name, plan, keepsDisks) in [
            ("disks kept", roomy(nodes: 3), true), ("empty", roomy(nodes: 3), false),
            ("empty, a tier", roomy(nodes: 3, tier: tier), false),
            ("empty, far used", roomy(nodes: 3, far: .used), false),
            ("empty, far all", roomy(nodes: 3, far: .all), false),
        ] {
            Table.row([name] + deploy(plan, keepsDisks: keepsDisks).map { Table.text($0) })
        }
    }

    /// The requests while a node is away.
    private var away: Int { options.images / 20 }
    /// The requests after it is back, before the next one leaves.
    private var after: Int { measured / 4 }

    /// Returns the results made and originals fetched because of a deployment, the reads of the far store because of it, and
    /// the writes to it before, as shares of the results and originals until then.
    private func deploy(_ plan: SimulatedFleet.Plan, keepsDisks: Bool) -> [Double] {
        var pair = FleetPair(plan, clients(0.8))
        let known = pair.send(warmUp).changed
        var made = 0, fetched = 0, farReads = 0
        func send(_ requests: Int) {
            let counts = pair.send(requests)
            made += counts.changed.made - counts.calm.made
            fetched += counts.changed.fetched - counts.calm.fetched
            farReads += counts.changed.farReads - counts.calm.farReads
        }
        for node in 0..<plan.nodes {
            pair.changed.remove(node)
            send(away)
            if keepsDisks { pair.changed.restart(node) } else { pair.changed.empty(node) }
            pair.changed.add(node)
            send(after)
        }
        let ofResults = [made, farReads, known.farWrites].map { Double($0) / Double(known.made) }
        return [ofResults[0], Double(fetched) / Double(known.fetched), ofResults[1], ofResults[2]]
    }

    /// Returns a plan whose disks hold all results and originals on each node.
    private func roomy(
        nodes: Int, far: SimulatedFleet.FarWrites = .absent, tier: Int = 0
    ) -> SimulatedFleet.Plan {
        SimulatedFleet.Plan(
            tier: tier, nodes: nodes, memory: results / 50 * Int(ByteSizes.result),
            disk: 4 * options.images * Int(ByteSizes.original), far: far)
    }
}

/// Two equal fleets with the same clients, one of which loses nodes: the other has the requests for images that are new.
private struct FleetPair {
    var changed: SimulatedFleet
    private var calm: SimulatedFleet
    private var clients: SimulatedClients

    init(_ plan: SimulatedFleet.Plan, _ clients: SimulatedClients) {
        changed = SimulatedFleet(plan)
        calm = changed
        self.clients = clients
    }

    mutating func send(_ count: Int) -> (changed: SimulatedFleet.Counts, calm: SimulatedFleet.Counts) {
        var same = clients
        let calmCounts = same.send(count, to: &calm)
        return (clients.send(count, to: &changed), calmCounts)
    }
}

extension HashRing {
    /// Returns the share of keys of each node, by nodes of the weight 1.
    static func shares(ofNodes count: Int, keys: Int, points: Int) -> [Double] {
        let ring = HashRing(weights: Array(repeating: 1, count: count), pointsPerWeight: points)
        var counts = Array(repeating: 0, count: count)
        for key in 0..<keys { counts[ring.node(of: key)] += 1 }
        return counts.map { Double($0) / Double(keys) }
    }
}
