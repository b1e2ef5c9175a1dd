import CalotypeBase
import CalotypeStore

extension Simulation {
    /// Prints the hit ratios of one cache, by its share of all results.
    func printHitRatios() {
        Table.title(
            "Hit ratios of one cache, by the share of all results that it holds",
            "LRU, SIEVE (memory) and disk: simulated with \(options.images) images. Others: computed for that and more")
        let universes = Self.universes
        Table.row(
            ["exponent", "share", "LRU", "SIEVE", "disk", "computed"] + universes.map { "at \(Table.power($0))" })
        for exponent in Self.exponents {
            let computed = ([Double(options.images)] + universes).map {
                (images: $0, cache: CheApproximation(images: $0, exponent: exponent))
            }
            for share in [0.0001, 0.001, 0.01, 0.1, 0.3, 0.6] {
                let simulated = [PlainCache.Kind.queue, .marked, .disk].map { kind in
                    var cache = PlainCache(kind, limit: Int(Double(results) * share))
                    var clients = clients(exponent)
                    _ = cache.hits(warmUp, of: &clients)
                    return Double(cache.hits(measured, of: &clients)) / Double(measured)
                }
                let ratios = computed.map {
                    $0.cache.hitRatio(results: $0.images * Double(Popularity.sizes.count) * share)
                }
                Table.row([Table.text(exponent, places: 1), "\(share)"] + (simulated + ratios).map { Table.text($0) })
            }
        }
    }
}

/// One cache of results, each of which costs 1.
struct PlainCache {
    /// LRU; the product's memory, which is SIEVE; the product's store on disk, which is LRU and trimmed in large steps.
    enum Kind { case queue, marked, disk }

    private let kind: Kind
    private var queue: LRUCache
    private var memory: SieveMemory<Int, Bool>

    init(_ kind: Kind, limit: Int) {
        self.kind = kind
        queue = LRUCache(limit: limit, trimRatio: kind == .disk ? DiskStoreOptions().trimRatio : 1)
        memory = SieveMemory(limit: limit)
    }

    /// Returns the number of hits of the next requests.
    mutating func hits(_ requests: Int, of clients: inout SimulatedClients) -> Int {
        var hits = 0
        for _ in 0..<requests where touch(clients.next().result) { hits += 1 }
        return hits
    }

    private mutating func touch(_ result: Int) -> Bool {
        guard kind == .marked else { return queue.touch(result) }
        if memory.value(for: result) != nil { return true }
        memory.set(true, cost: 1, for: result)
        return false
    }
}
