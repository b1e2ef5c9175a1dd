import CalotypeBase
import CalotypeStore

/// The caches of a fleet, with the eviction of the product: an HTTP tier, and behind a balancer nodes with memory and disk.
struct SimulatedFleet {
    struct Plan {
        /// The bytes of the HTTP tier, such as nginx or a CDN; 0 for no tier.
        var tier = 0
        var nodes = 3
        /// The bytes for results in memory, on each node.
        var memory: Int
        /// The bytes for results on disk, and for originals on disk, on each node.
        var disk: Int
        var far = FarWrites.absent
    }

    /// `calotype serve --far-writes`; `absent` without `--far`.
    enum FarWrites { case absent, used, all }

    /// The outcomes of requests.
    struct Counts {
        var requests = 0
        var tier = 0, memory = 0, disk = 0, far = 0
        /// The number of results made, and of originals fetched for them.
        var made = 0, fetched = 0
        var farReads = 0, farWrites = 0
        var bytes = 0, bytesOfNodes = 0, bytesFetched = 0
    }

    private struct Node {
        var memory: SieveMemory<Int, Bool>
        var results: LRUCache
        var sources: LRUCache

        init(_ plan: Plan) {
            memory = SieveMemory(limit: plan.memory)
            results = LRUCache(limit: plan.disk, trimRatio: DiskStoreOptions().trimRatio)
            sources = LRUCache(limit: plan.disk, trimRatio: DiskStoreOptions().trimRatio)
        }
    }

    /// The outcomes since the owner has set them to zero.
    var counts = Counts()
    private let plan: Plan
    private var ring: HashRing
    private var weights: [Int]
    private var tier: LRUCache
    private var nodes: [Node]
    private var far: Set<Int> = []
    /// The results with which a node has answered once from its own store.
    private var usedOnce: Set<Int> = []

    init(_ plan: Plan) {
        self.plan = plan
        weights = Array(repeating: 1, count: plan.nodes)
        ring = HashRing(weights: weights, pointsPerWeight: HashRing.pointsOfNginx)
        tier = LRUCache(limit: plan.tier)
        nodes = (0..<plan.nodes).map { _ in Node(plan) }
    }

    // MARK: Nodes

    /// Takes a node out of the ring; it keeps its disk.
    mutating func remove(_ node: Int) { setWeight(0, of: node) }

    /// Puts a node into the ring again.
    mutating func add(_ node: Int) { setWeight(1, of: node) }

    /// Empties memory and disk of a node.
    mutating func empty(_ node: Int) { nodes[node] = Node(plan) }

    /// Empties the memory of a node, as a restart does.
    mutating func restart(_ node: Int) { nodes[node].memory = SieveMemory(limit: plan.memory) }

    private mutating func setWeight(_ weight: Int, of node: Int) {
        weights[node] = weight
        ring = HashRing(weights: weights, pointsPerWeight: HashRing.pointsOfNginx)
    }

    // MARK: Requests

    /// The bytes of a result in memory beside its body: heads and prepared responses.
    static let memoryOverhead = 3_000
    /// The bytes of an entry on disk beside its body: its row, its key and its head.
    static let diskOverhead = DiskStoreOptions.entryOverhead + 400

    mutating func answer(_ request: SimulatedRequest) {
        let result = request.result
        let bytes = ByteSizes.result(result)
        counts.requests += 1
        counts.bytes += bytes
        if tier.touch(result, cost: bytes) { return counts.tier += 1 }
        counts.bytesOfNodes += bytes
        let node = ring.node(of: request.image)
        let isInMemory = nodes[node].memory.value(for: result) != nil
        // A hit in memory counts as a use on disk, but writes nothing there.
        let isOnDisk =
            (!isInMemory || nodes[node].results.contains(result))
            && nodes[node].results.touch(result, cost: bytes + Self.diskOverhead)
        if isInMemory {
            counts.memory += 1
        } else if isOnDisk {
            counts.disk += 1
        } else {
            obtain(request, on: node)
        }
        if isInMemory || isOnDisk { noteUse(of: result) }
        if !isInMemory { nodes[node].memory.set(true, cost: bytes + Self.memoryOverhead, for: result) }
    }

    private mutating func obtain(_ request: SimulatedRequest, on node: Int) {
        if plan.far != .absent {
            counts.farReads += 1
            if far.contains(request.result) { return counts.far += 1 }
        }
        counts.made += 1
        let original = ByteSizes.original(request.image)
        if !nodes[node].sources.touch(request.image, cost: original + Self.diskOverhead) {
            counts.fetched += 1
            counts.bytesFetched += original
        }
        if plan.far == .all { storeFar(request.result) }
    }

    /// Writes a result to the far store when a node answers with it a second time.
    private mutating func noteUse(of result: Int) {
        guard plan.far == .used, !usedOnce.insert(result).inserted else { return }
        storeFar(result)
    }

    private mutating func storeFar(_ result: Int) {
        if far.insert(result).inserted { counts.farWrites += 1 }
    }
}
