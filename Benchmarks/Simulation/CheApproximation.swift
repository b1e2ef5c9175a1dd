import Foundation

/// Che's approximation of LRU caches, for numbers of images that no simulation holds.
///
/// A cache keeps a result for its characteristic time after the last request, the time in which as many different results are
/// requested as the cache has room for. Times are counted in requests.
struct CheApproximation {
    /// The time of a cache that evicts nothing. Not infinity, which times a rate of 0 is not a number.
    private static let always = 1e300

    private let groups: [Popularity.Group]
    private let total: Double

    init(images: Double, exponent: Double) {
        groups = Popularity.groups(images: images, exponent: exponent)
        total = groups.reduce(0) { $0 + $1.count }
    }

    /// Returns the hit ratio of a cache for this number of results.
    func hitRatio(results: Double) -> Double {
        let time = time(results: results) { $0.probability }
        return groups.reduce(0) { $0 + $1.count * $1.probability * (1 - exp(-$1.probability * time)) }
    }

    /// Returns the share of the first requests that are for a result which none of them has asked for before.
    func newShare(requests: Double) -> Double {
        groups.reduce(0) { $0 + $1.count * (1 - exp(-$1.probability * requests)) } / requests
    }

    /// The shares of requests that each tier answers.
    struct Shares {
        let tier: Double
        let memory: Double
        let disk: Double
        /// The share of requests that no tier answers.
        var made: Double { max(1 - tier - memory - disk, 0) }
    }

    /// Returns the shares of a tier in front of nodes, and of the nodes' memory and disks, each with room for a number of
    /// results on all nodes together.
    ///
    /// The nodes see the misses of the tier: a result that was requested within the tier's time does not reach them.
    func shares(tier: Double, memory: Double, disk: Double) -> Shares {
        let first = time(results: tier) { $0.probability }
        func rate(_ group: Popularity.Group) -> Double { group.probability * exp(-group.probability * first) }
        func hits(_ room: Double) -> Double {
            let time = time(results: room, rate)
            return groups.reduce(0) { $0 + $1.count * rate($1) * (1 - exp(-rate($1) * max(time - first, 0))) }
        }
        let passed = groups.reduce(0) { $0 + $1.count * rate($1) }
        let inMemory = hits(memory)
        return Shares(tier: max(1 - passed, 0), memory: inMemory, disk: max(hits(disk) - inMemory, 0))
    }

    /// Returns the characteristic time of a cache, in requests of the clients.
    ///
    /// - Parameter rate: The probability that a request of the clients is one for a result of the group at this cache.
    private func time(results: Double, _ rate: (Popularity.Group) -> Double) -> Double {
        guard results > 0 else { return 0 }
        guard results < total else { return Self.always }
        let rated = groups.map { (count: $0.count, rate: rate($0)) }
        var (low, high) = (0.0, 1e18)
        for _ in 0..<200 {
            let middle = (low + high) / 2
            let kept = rated.reduce(0) { $0 + $1.count * (1 - exp(-$1.rate * middle)) }
            if kept < results { low = middle } else { high = middle }
        }
        return high
    }
}
