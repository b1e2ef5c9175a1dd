import CalotypeTesting

/// Consistent hashing, as by `hash-type consistent` of haproxy and `hash … consistent` of nginx: each node has points on a
/// circle, and the node of the next point serves a key.
struct HashRing {
    /// The number of points of a server with the weight 1 in haproxy.
    static let pointsOfHaproxy = 16
    /// The number of points of a server with the weight 1 in nginx.
    static let pointsOfNginx = 160

    private var points: [(place: UInt64, node: Int)] = []

    /// - Parameters:
    ///   - weights: The weight of each node. A node with the weight 0 gets no key.
    ///   - pointsPerWeight: The number of points of a node with the weight 1.
    init(weights: [Int], pointsPerWeight: Int) {
        for (node, weight) in weights.enumerated() {
            for point in 0..<weight * pointsPerWeight {
                points.append((Self.hash(UInt64(node) << 32 | UInt64(point)), node))
            }
        }
        points.sort { ($0.place, $0.node) < ($1.place, $1.node) }
    }

    /// Returns the node of a key. There has to be a node with a weight.
    func node(of key: Int) -> Int {
        // Apart from the places of the points.
        let place = Self.hash(UInt64(key) | 1 << 63)
        var (low, high) = (0, points.count)
        while low < high {
            let middle = (low + high) / 2
            if points[middle].place < place { low = middle + 1 } else { high = middle }
        }
        return points[low % points.count].node
    }

    private static func hash(_ value: UInt64) -> UInt64 {
        var random = SplitMix(seed: value)
        return random.next()
    }
}
