import Foundation

extension Scenario {
    /// The cost of a far store that has none of the results.
    static let farMiss = Scenario(
        name: "far-miss",
        summary: "calotype serve: processor time of 10,000 new thumbnails with an empty far store, and without one"
    ) { bench in
        let objects = try ObjectStoreProcess()
        try await objects.put(Photographs.small, as: "photos/miss/*")
        let with = NewThumbnails(try await .node(objects.sources + objects.results("miss")))
        let without = NewThumbnails(try await .node(objects.sources))
        let count = bench.isQuick ? 1000 : 10_000
        try await bench.compare("far-miss", with: "without far", unit: "ms", bar: .atMost(1.05), pairs: 5) {
            try await with.secondsOf(count) * 1e3
        } baseline: {
            try await without.secondsOf(count) * 1e3
        }
        guard try await objects.counts(of: "results").reads > 0 else {
            throw BenchError("no node looked in the far store")
        }
    }
}

/// Thumbnails of a few sources under URLs that no cache has.
private final class NewThumbnails {
    private let node: CalotypeProcess
    private let client = ThumbnailClient()
    private var made = 0

    init(_ node: CalotypeProcess) { self.node = node }

    /// Returns the processor time of as many thumbnails, in seconds.
    func secondsOf(_ count: Int) async throws -> Double {
        let urls = try (made..<made + count).map {
            try node.url + ThumbnailURL.path("s3://photos/miss/\($0 % 50).jpg", width: 400, buster: "\($0)")
        }
        made += count
        let start = try node.tree.processorSeconds()
        try await inTasks(2, urls) { [client] in _ = try await client.thumbnail($0) }
        return try node.tree.processorSeconds() - start
    }
}
