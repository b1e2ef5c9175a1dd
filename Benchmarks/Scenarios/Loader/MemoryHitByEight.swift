import CalotypeCodecs
import Foundation

extension Scenario {
    /// The contention between readers.
    static let memoryHitByEight = Scenario(
        name: "memory-hit-8", summary: "the same reads by eight tasks at a time, each in an order of its own"
    ) { bench in
        let cache = MemoryReads.Cache(try Bitmap.onePixel())
        let orders = (0..<8).map { MemoryReads.order(seed: UInt64(10 + $0)) }
        let reads = Double(orders.count * 100_000)
        try await bench.compare(
            "memory-hit-8", with: "the same by one task", unit: "ns", bar: .atMost(1.5), pairs: bench.isQuick ? 11 : 31
        ) {
            try await seconds {
                let tasks = orders.map { order in Task { try cache.read(order) } }
                for task in tasks { try await task.value }
            } * 1e9 / reads
        } baseline: {
            // As many reads, also in a task, so that both sides differ only in their contention.
            try await seconds {
                try await Task { for order in orders { try cache.read(order) } }.value
            } * 1e9 / reads
        }
    }
}
