/// The counts of all requests since the recorder began.
struct LoadTally: Equatable, Sendable {
    private var counts = [Int](repeating: 0, count: LoadKind.allCases.count)
    /// The number of decoded images.
    private(set) var decodes = 0
    /// The total time of decoding, queues included.
    private(set) var decodeTime = Duration.zero
    /// The number of encoded bytes that came over the network.
    private(set) var networkBytes = 0

    var total: Int { counts.reduce(0, +) }

    subscript(_ kind: LoadKind) -> Int { counts[kind.rawValue] }

    mutating func add(_ entry: LoadEntry) {
        let kind = LoadKind(entry.origin)
        counts[kind.rawValue] += 1
        if kind == .network { networkBytes += entry.bytes }
        guard let processing = entry.processing else { return }
        decodes += 1
        decodeTime += processing
    }
}
