import Foundation

/// Compares the simulation with known results.
struct SimulationCheck {
    private let images: Int
    private let seed: UInt64

    init(_ options: SimulationOptions) {
        images = min(options.images, 50_000)
        seed = options.seed
    }

    /// Prints each comparison. Returns `false` if one is beyond its tolerance.
    func run() -> Bool {
        Table.title("Checks", "the simulation beside known results, with \(images) images")
        Table.row(["found", "known", "tolerance", "", "of"])
        let results = popularity() + hitRatios() + ring() + fleet()
        for result in results {
            Table.row(
                [result.found, result.known, result.tolerance].map { Table.text($0, places: 4) }
                    + [result.isRight ? "ok" : "WRONG", result.name])
        }
        return results.allSatisfy(\.isRight)
    }

    private struct Comparison {
        let name: String
        let found: Double
        let known: Double
        let tolerance: Double

        var isRight: Bool { abs(found - known) <= tolerance }
    }

    private func popularity() -> [Comparison] {
        var clients = SimulatedClients(images: images, exponent: 1, seed: seed)
        var first = 0
        for _ in 0..<1_000_000 where clients.next().image == 0 { first += 1 }
        let harmonic = (1...images).reduce(0) { $0 + 1 / Double($1) }
        let sizes = (0..<100_000).map { Double(ByteSizes.result($0)) }
        let originals = (0..<100_000).map { Double(ByteSizes.original($0)) }
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
        return [
            Comparison(
                name: "requests for the first image", found: Double(first) / 1e6, known: 1 / harmonic, tolerance: 0.001),
            Comparison(name: "mean size of results", found: mean(sizes) / ByteSizes.result, known: 1, tolerance: 0.02),
            Comparison(
                name: "mean size of originals", found: mean(originals) / ByteSizes.original, known: 1, tolerance: 0.02),
        ]
    }

    /// LRU beside Che's approximation, whose error is below a hundredth for such caches.
    private func hitRatios() -> [Comparison] {
        [(0.8, 0.01), (0.8, 0.1), (1, 0.01), (1, 0.1)].map { exponent, share in
            let room = Int(Double(images * Popularity.sizes.count) * share)
            var cache = PlainCache(.queue, limit: room)
            var clients = SimulatedClients(images: images, exponent: exponent, seed: seed)
            _ = cache.hits(images * 10, of: &clients)
            let hits = cache.hits(images * 20, of: &clients)
            let known = CheApproximation(images: Double(images), exponent: exponent).hitRatio(results: Double(room))
            return Comparison(
                name: "hit ratio of LRU, exponent \(exponent), share \(share)",
                found: Double(hits) / Double(images * 20),
                known: known, tolerance: 0.01)
        }
    }

    /// A node that leaves takes its keys alone; a node with twice the weight has twice the keys.
    private func ring() -> [Comparison] {
        let points = HashRing.pointsOfNginx
        let before = HashRing(weights: Array(repeating: 1, count: 10), pointsPerWeight: points)
        let after = HashRing(weights: [0] + Array(repeating: 1, count: 9), pointsPerWeight: points)
        var ofNode = 0, moved = 0, movedElsewhere = 0
        for key in 0..<images {
            let node = before.node(of: key)
            if node == 0 { ofNode += 1 }
            guard node != after.node(of: key) else { continue }
            if node == 0 { moved += 1 } else { movedElsewhere += 1 }
        }
        let weighted = HashRing(weights: [2, 1, 1], pointsPerWeight: points * 10)
        let heavy = (0..<images).reduce(0) { $0 + (weighted.node(of: $1) == 0 ? 1 : 0) }
        return [
            Comparison(
                name: "keys of one of 10 nodes", found: Double(ofNode) / Double(images), known: 0.1, tolerance: 0.02),
            Comparison(
                name: "of these, moved when it leaves", found: Double(moved) / Double(ofNode), known: 1, tolerance: 0),
            Comparison(name: "keys moved between the others", found: Double(movedElsewhere), known: 0, tolerance: 0),
            Comparison(
                name: "keys of a node with half of the weight", found: Double(heavy) / Double(images), known: 0.5,
                tolerance: 0.03),
        ]
    }

    /// Each request has one outcome, and disks with room for everything make each result once.
    private func fleet() -> [Comparison] {
        let bytes = 4 * images * Int(ByteSizes.original)
        var fleet = SimulatedFleet(
            SimulatedFleet.Plan(tier: bytes / 1000, nodes: 3, memory: bytes / 1000, disk: bytes, far: .used))
        var clients = SimulatedClients(images: images, exponent: 0.8, seed: seed)
        var same = clients
        let counts = clients.send(images * 10, to: &fleet)
        var seen: Set<Int> = []
        for _ in 0..<images * 10 { seen.insert(same.next().result) }
        let outcomes = counts.tier + counts.memory + counts.disk + counts.far + counts.made
        return [
            Comparison(
                name: "outcomes of a request", found: Double(outcomes) / Double(counts.requests), known: 1, tolerance: 0
            ),
            Comparison(
                name: "makings of each result", found: Double(counts.made) / Double(seen.count), known: 1, tolerance: 0),
        ]
    }
}
