import CalotypeStore

/// The caches that serve a number of images.
struct FleetPlan {
    let images: Double
    let nodes: Int
    /// The bytes of the HTTP tier in front of the nodes.
    let tier: Double
    /// The bytes for results in memory of each node.
    let memory: Double
    /// The bytes for results on disk of each node; as many again for originals.
    let disk: Double

    static let all = [
        FleetPlan(images: 1e6, nodes: 3, tier: 10e9, memory: 0.5e9, disk: 100e9),
        FleetPlan(images: 1e8, nodes: 10, tier: 1e12, memory: 1e9, disk: 1e12),
        FleetPlan(images: 1e10, nodes: 20, tier: 10e12, memory: 1e9, disk: 5e12),
    ]

    /// The share of a store's limit that is in use, on average: a trim leaves `trimRatio` of it.
    private static let usedShare = (1 + DiskStoreOptions().trimRatio) / 2

    /// Returns the shares of requests by tier, computed for another number of images with as much room for each.
    func shares(images count: Double, exponent: Double, hasTier: Bool) -> CheApproximation.Shares {
        let scale = count / images
        let onNodes = scale * Double(nodes)
        return CheApproximation(images: count, exponent: exponent).shares(
            tier: hasTier ? scale * tier / ByteSizes.result : 0,
            memory: onNodes * memory / (ByteSizes.result + Double(SimulatedFleet.memoryOverhead)),
            disk: onNodes * disk * Self.usedShare / (ByteSizes.result + Double(SimulatedFleet.diskOverhead)))
    }

    /// Returns the plan of a fleet for another number of images with as much room for each.
    func scaled(to count: Int, hasTier: Bool) -> SimulatedFleet.Plan {
        let scale = Double(count) / images
        return SimulatedFleet.Plan(
            tier: hasTier ? Int(tier * scale) : 0, nodes: nodes, memory: Int(memory * scale), disk: Int(disk * scale))
    }
}

extension Simulation {
    /// Prints the shares of requests that each tier answers, without an HTTP tier and with one.
    func printTiers() {
        Table.title(
            "Shares of requests by tier",
            "computed: for the images of the row; small: for \(options.images) images with as much room for each; "
                + "simulated: the same. A scaled memory has room for few results, or for none")
        Table.row([
            "images", "exponent", "", "tier", "memory", "disk", "made", "fetched", "bytes of nodes", "of origins",
        ])
        for plan in FleetPlan.all {
            for exponent in Self.exponents {
                for hasTier in [false, true] {
                    let label = [Table.power(plan.images), Table.text(exponent, places: 1)]
                    for (name, images) in [("computed", plan.images), ("small", Double(options.images))] {
                        let shares = plan.shares(images: images, exponent: exponent, hasTier: hasTier)
                        let figures = [shares.tier, shares.memory, shares.disk, shares.made]
                        Table.row(label + [name] + figures.map { Table.text($0) })
                    }
                    let figures = simulatedShares(plan, exponent, hasTier: hasTier)
                    Table.row(label + ["simulated"] + figures.map { Table.text($0) })
                }
            }
        }
    }

    /// Returns the shares of requests that tier, memory and disk answer, for which a result is made and an original fetched,
    /// and the bytes that nodes and origins send, for each byte that clients get.
    private func simulatedShares(_ plan: FleetPlan, _ exponent: Double, hasTier: Bool) -> [Double] {
        var fleet = SimulatedFleet(plan.scaled(to: options.images, hasTier: hasTier))
        var clients = clients(exponent)
        clients.send(warmUp, to: &fleet)
        let counts = clients.send(measured, to: &fleet)
        let outcomes = [counts.tier, counts.memory, counts.disk, counts.made, counts.fetched]
        return outcomes.map { Double($0) / Double(counts.requests) }
            + [counts.bytesOfNodes, counts.bytesFetched].map { Double($0) / Double(counts.bytes) }
    }
}
