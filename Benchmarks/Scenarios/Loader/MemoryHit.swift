import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeMemory
import CalotypeTesting
import Foundation
import Synchronization

extension Scenario {
    /// The cost of reading an image in memory: from the cache by key, and from the loader by URL or by request.
    static let memoryHit = Scenario(
        name: "memory-hit", summary: "100,000 reads over 2,000 images in memory"
    ) { bench in
        let bitmap = try Bitmap.onePixel()
        try await byKey(bench, bitmap)
        try await fromURL(bench, bitmap)
        try await fromFields(bench, bitmap)
    }

    /// The cost of contention between eight readers.
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
            // Make the same reads one after another in a single task, so that only contention makes a difference.
            try await seconds {
                try await Task { for order in orders { try cache.read(order) } }.value
            } * 1e9 / reads
        }
    }

    private static func byKey(_ bench: Bench, _ bitmap: Bitmap) async throws {
        let order = MemoryReads.order(seed: 1)
        let ours = MemoryReads.Cache(bitmap)
        let baseline = LockedDictionary(bitmap)
        try await bench.compare(
            "memory-hit", with: "Mutex + Dictionary, 128-bit key", unit: "ns", bar: .atMost(2),
            pairs: bench.isQuick ? 21 : 51
        ) {
            try seconds { try ours.read(order) } * 1e9 / Double(order.count)
        } baseline: {
            try seconds { try baseline.read(order) } * 1e9 / Double(order.count)
        }
    }

    private static func fromURL(_ bench: Bench, _ bitmap: Bitmap) async throws {
        let urls = MemoryReads.names.compactMap { URL(string: $0) }
        // NSCache takes about 20 µs per read here: 100,000 reads are too slow for a quick run.
        let order = Array(MemoryReads.order(seed: 2).prefix(bench.isQuick ? 20_000 : 100_000))
        let loader = try await MemoryReads.loader(holding: urls)
        let cache = NSCache<NSURL, CachedBitmap>()
        for url in urls { cache.setObject(CachedBitmap(bitmap), forKey: url as NSURL) }
        try await bench.compare(
            "memory-hit-url", with: "NSCache, URL keys", unit: "ns", bar: .atMost(0.05), pairs: bench.isQuick ? 7 : 15
        ) {
            try MemoryReads.nanoseconds(order) { loader.cachedImage(for: urls[$0]) }
        } baseline: {
            try MemoryReads.nanoseconds(order) { cache.object(forKey: urls[$0] as NSURL)?.bitmap }
        }
    }

    /// Measures reads of requests with three header fields, which are all part of the cache key.
    private static func fromFields(_ bench: Bench, _ bitmap: Bitmap) async throws {
        let requests = MemoryReads.names.compactMap { URL(string: $0) }.map { url in
            let fields: HTTPFields = ["Authorization": "Bearer 4f1d6b", "Accept-Language": "de", "X-Scale": "2"]
            return ImageRequest(url, fields: fields)
        }
        let order = Array(MemoryReads.order(seed: 4).prefix(bench.isQuick ? 20_000 : 100_000))
        let loader = ImageLoader(.fake(InstantTransport()))
        for request in requests { _ = try await loader.fetch(request) }
        try await bench.compare(
            "memory-hit-fields", with: "3 µs", unit: "ns", bar: .atMost(1), pairs: bench.isQuick ? 7 : 15
        ) {
            try MemoryReads.nanoseconds(order) { loader.cachedImage(for: requests[$0]) }
        } baseline: {
            3000
        }
    }
}

/// The reads of the memory scenarios. Every image is one pixel wide, so that the sum of widths counts the hits.
enum MemoryReads {
    static let names = (0..<2000).map { "https://images.example.org/photos/2026/\($0 * 7919)/large.jpg?width=1200" }

    /// Returns 100,000 indices into `names` in random order. Each index occurs equally often.
    static func order(seed: UInt64) -> [Int] {
        var random = SplitMix(seed: seed)
        return (0..<100_000).map { $0 % names.count }.shuffled(using: &random)
    }

    static func check(_ hits: Int, _ order: [Int]) throws {
        guard hits == order.count else { throw BenchError("\(order.count - hits) of \(order.count) reads missed") }
    }

    /// Returns the time of one read, in nanoseconds.
    @inline(__always)
    static func nanoseconds(_ order: [Int], _ image: (Int) -> Bitmap?) throws -> Double {
        try seconds {
            var width = 0
            for index in order { width += image(index)?.width ?? 0 }
            try check(width, order)
        } * 1e9 / Double(order.count)
    }

    /// Returns a loader that has loaded every image once.
    static func loader(holding urls: [URL]) async throws -> ImageLoader {
        let loader = ImageLoader(.fake(InstantTransport()))
        for url in urls { _ = try await loader.fetch(url) }
        return loader
    }

    /// The library's memory cache, which contains the same image for each of `names`.
    struct Cache: Sendable {
        let cache = MemoryCache<Bitmap> { $0.byteCount }
        let keys = names.map { CacheKey($0) }

        init(_ bitmap: Bitmap) {
            for key in keys { cache.store(value: bitmap, for: key) }
        }

        func read(_ order: [Int]) throws {
            var hits = 0
            for index in order { hits += cache.value(for: keys[index])?.width ?? 0 }
            try check(hits, order)
        }
    }
}

/// The simplest cache: one lock and one dictionary, without a limit or an order.
final class LockedDictionary: Sendable {
    private struct Key: Hashable {
        let high: UInt64
        let low: UInt64
    }

    private let values: Mutex<[Key: Bitmap]>
    private let keys: [Key]

    init(_ bitmap: Bitmap) {
        var random = SplitMix(seed: 3)
        keys = MemoryReads.names.map { _ in Key(high: random.next(), low: random.next()) }
        values = Mutex(Dictionary(uniqueKeysWithValues: keys.map { ($0, bitmap) }))
    }

    func read(_ order: [Int]) throws {
        var hits = 0
        for index in order {
            let key = keys[index]
            hits += values.withLock { $0[key] }?.width ?? 0
        }
        try MemoryReads.check(hits, order)
    }
}

/// A box, because NSCache stores only objects.
private final class CachedBitmap {
    let bitmap: Bitmap

    init(_ bitmap: Bitmap) { self.bitmap = bitmap }
}
