import Foundation

extension Scenario {
    /// The cost of a result that an empty node finds in the far store.
    static let farHit = Scenario(
        name: "far-hit",
        summary: "calotype serve: processor time of 400 px from the far store, and made from 12 MP and 1600 x 1200"
    ) { bench in
        let large = FarResults(Photographs.large, found: bench.isQuick ? 60 : 200, made: bench.isQuick ? 16 : 32)
        let medium = FarResults(Photographs.medium, found: bench.isQuick ? 100 : 400, made: bench.isQuick ? 40 : 100)
        for (name, results, bar) in [("far-hit-12mp", large, 0.1), ("far-hit-1600", medium, 0.25)] {
            let objects = try ObjectStoreProcess()
            try await results.make(objects)
            try await bench.compare(name, with: "making it", unit: "ms", bar: .atMost(bar), pairs: 5) {
                try await results.secondsOfFinding(objects) * 1e3
            } baseline: {
                try await results.secondsOfMaking(objects) * 1e3
            }
        }
    }
}

/// Thumbnails of many sources, which one node has made. Each measured node is empty.
private struct FarResults {
    private let photo: Data
    private let found: Int
    private let made: Int

    /// - Parameters:
    ///   - found: The number of results in a round from the far store.
    ///   - made: The number of results in a round without it.
    init(_ photo: Data, found: Int, made: Int) { (self.photo, self.found, self.made) = (photo, found, made) }

    /// Two more than a round takes.
    private var paths: [String] {
        get throws { try (0..<found + 2).map { try ThumbnailURL.path("s3://photos/hit/\($0).jpg", width: 400) } }
    }

    func make(_ objects: ObjectStoreProcess) async throws {
        try await objects.put(photo, as: "photos/hit/*")
        let node = try await CalotypeProcess.node(
            objects.sources + objects.results("hit") + ["--far-writes", "all"])
        let client = ThumbnailClient()
        try await inTasks(2, try paths) { [root = node.url] in _ = try await client.thumbnail(root + $0) }
        try await objects.waitForResults(found + 2)
    }

    /// Returns the processor time of a result from the far store, in seconds.
    func secondsOfFinding(_ objects: ObjectStoreProcess) async throws -> Double {
        let before = try await objects.counts(of: "photos").reads
        let node = try await CalotypeProcess.node(objects.sources + objects.results("hit"))
        let time = try await seconds(of: found, on: node)
        let loaded = try await objects.counts(of: "photos").reads - before
        guard try await node.decodes() == 0, loaded == 0 else {
            throw BenchError("the node loaded \(loaded) sources, and made a result that the far store has")
        }
        return time
    }

    /// Returns the processor time of a result without a far store, in seconds.
    func secondsOfMaking(_ objects: ObjectStoreProcess) async throws -> Double {
        try await seconds(of: made, on: try await .node(objects.sources))
    }

    private func seconds(of count: Int, on node: CalotypeProcess) async throws -> Double {
        let client = ThumbnailClient()
        let urls = try paths.map { node.url + $0 }
        // The first ones open connections and start workers.
        for url in urls.prefix(2) { _ = try await client.thumbnail(url) }
        let start = try node.tree.processorSeconds()
        try await inTasks(2, Array(urls.dropFirst(2).prefix(count))) { _ = try await client.thumbnail($0) }
        return (try node.tree.processorSeconds() - start) / Double(count)
    }
}
