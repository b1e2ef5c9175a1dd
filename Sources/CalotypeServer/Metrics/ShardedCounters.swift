import CalotypeBase
import Glibc

/// Counters for code that runs for every request: threads add to separate cells, so that they do not wait for each
/// other's cache lines.
// Unchecked: the cells are atomic, and the pointer never changes.
final class ShardedCounters: @unchecked Sendable {
    private static let shardBits = 4
    /// The number of integers in two cache lines, which processors load together.
    private static let alignment = 16

    private let stride: Int
    private let cells: UnsafeMutablePointer<AtomicInteger>

    init(count: Int) {
        stride = (count + Self.alignment - 1) / Self.alignment * Self.alignment
        let all = stride << Self.shardBits
        let raw = UnsafeMutableRawPointer.allocate(
            byteCount: all * MemoryLayout<AtomicInteger>.stride,
            alignment: Self.alignment * MemoryLayout<AtomicInteger>.stride)
        cells = raw.bindMemory(to: AtomicInteger.self, capacity: all)
        for index in 0..<all { (cells + index).initialize(to: AtomicInteger(0)) }
    }

    deinit {
        cells.deinitialize(count: stride << Self.shardBits)
        cells.deallocate()
    }

    /// The cells of the calling thread. Two threads may share them.
    var ownShard: Shard {
        // The identifier is an address. Those of threads differ in their middle bits, which the product moves to the top.
        let number = (UInt64(pthread_self()) &* 0x9E37_79B9_7F4A_7C15) >> (64 - Self.shardBits)
        return Shard(cells: cells + Int(number) * stride)
    }

    /// Returns the value of a counter: the sum over all threads.
    subscript(_ index: Int) -> Int {
        (0..<1 << Self.shardBits).reduce(0) { $0 + cells[$1 * stride + index].load() }
    }

    func add(_ amount: Int = 1, to index: Int) { ownShard.add(amount, to: index) }

    /// Valid as long as its counters.
    struct Shard {
        fileprivate let cells: UnsafeMutablePointer<AtomicInteger>

        func add(_ amount: Int = 1, to index: Int) { _ = cells[index].add(amount) }
    }
}
