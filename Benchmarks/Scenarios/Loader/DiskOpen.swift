import CalotypeStore
import Foundation

extension Scenario {
    static let diskOpen = Scenario(
        name: "disk-open",
        summary: "open, one read and the totals of a store of 1,000,000 entries (--quick: 100,000)"
    ) { bench in
        let count = bench.isQuick ? 100_000 : 1_000_000
        bench.printer.note("disk-open: filling a store with \(count) entries …")
        let (large, small) = (try ScratchDirectory(), try ScratchDirectory())
        try await fill(large, count)
        try await fill(small, 1000)
        try await bench.compare(
            "disk-open", with: "1,000 entries", unit: "ms", bar: .atMost(2), pairs: bench.isQuick ? 21 : 41
        ) {
            try await open(large, expecting: count)
        } baseline: {
            try await open(small, expecting: 1000)
        }
    }

    private static func fill(_ directory: ScratchDirectory, _ count: Int) async throws {
        let store = DiskStore(directory: directory.path, options: .roomy)
        for index in 0..<count { try await store.store(Data("\(index)".utf8), metadata: Data(), for: key(index)) }
        try await store.flush()
        try await store.close()
    }

    /// Opens a store, reads an entry and the totals, and returns the time in milliseconds, which excludes closing.
    private static func open(_ directory: ScratchDirectory, expecting count: Int) async throws -> Double {
        let store = DiskStore(directory: directory.path, options: .roomy)
        let time = try await seconds {
            guard try await store.entry(for: key(count / 2)) != nil else { throw BenchError("an entry is lost") }
            guard try await store.statistics().entries == count else { throw BenchError("the totals are wrong") }
        }
        try await store.close()
        return time * 1e3
    }

    private static func key(_ index: Int) -> ByteString { "https://images.example.org/photos/\(index)/large.jpg" }
}
