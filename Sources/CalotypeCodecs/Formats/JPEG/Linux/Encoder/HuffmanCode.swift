/// A prefix code of at most 16 bits for bytes, the shortest but for that limit (ITU-T T.81, K.2).
struct HuffmanCode {
    /// The number of codes of each length from 1 to 16.
    private(set) var lengths = [UInt8](repeating: 0, count: 16)
    /// The symbols in the order of their codes.
    private(set) var symbols: [UInt8] = []

    /// - Parameter counts: How often each of 256 symbols occurs. Returns `nil` if none does.
    init?(_ counts: UnsafeBufferPointer<UInt32>) {
        let used = (0..<256).filter { counts[$0] > 0 }
            .sorted { (counts[$0], $1) > (counts[$1], $0) }
        guard !used.isEmpty else { return nil }
        // A symbol that never occurs, and gets the longest code: no code consists of ones only.
        var codes = Self.lengths(of: used.reversed().map { UInt64(counts[$0]) })
        Self.limit(&codes)
        var longest = 16
        while codes[longest] == 0 { longest -= 1 }
        codes[longest] -= 1
        for length in 1...16 { lengths[length - 1] = UInt8(codes[length]) }
        symbols = used.map { UInt8($0) }
    }

    /// Returns the number of codes of each length, for these numbers in increasing order and a least one before them.
    private static func lengths(of counts: [UInt64]) -> [Int] {
        let leaves = counts.count + 1
        var weights = [1] + counts
        var parents = [Int](repeating: 0, count: 2 * leaves - 1)
        // Both leaves and sums are in increasing order: the least node is the next of one or the other.
        var (leaf, sum) = (0, leaves)
        func least() -> Int {
            if leaf < leaves, sum >= weights.count || weights[leaf] <= weights[sum] {
                leaf += 1
                return leaf - 1
            }
            sum += 1
            return sum - 1
        }
        for node in leaves..<2 * leaves - 1 {
            let (one, other) = (least(), least())
            weights.append(weights[one] + weights[other])
            (parents[one], parents[other]) = (node, node)
        }
        var depths = [Int](repeating: 0, count: 2 * leaves - 1)
        var codes = [Int](repeating: 0, count: 64)
        for node in (0..<2 * leaves - 2).reversed() {
            depths[node] = depths[parents[node]] + 1
            if node < leaves { codes[depths[node]] += 1 }
        }
        return codes
    }

    /// Shortens codes of more than 16 bits by pairs, each for a shorter code that becomes longer.
    private static func limit(_ codes: inout [Int]) {
        for length in (17..<64).reversed() {
            while codes[length] > 0 {
                var shorter = length - 2
                while codes[shorter] == 0 { shorter -= 1 }
                codes[length] -= 2
                codes[length - 1] += 1
                codes[shorter + 1] += 2
                codes[shorter] -= 1
            }
        }
    }
}
