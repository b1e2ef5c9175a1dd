import Foundation

extension Scenario {
    /// The work of a node when many clients request a result that only the far store has.
    static let farHerd = Scenario(
        name: "far-herd",
        summary: "calotype serve: reads, fetches and decodes of 100 clients that request a result only far has"
    ) { bench in
        let objects = try ObjectStoreProcess()
        try await objects.put(Photographs.medium, as: "photos/herd/*")
        let path = try ThumbnailURL.path("s3://photos/herd/1.jpg", width: 400)
        let options = objects.sources + objects.results("herd")
        let first = try await CalotypeProcess.node(options + ["--far-writes", "all"])
        let result = try await ThumbnailClient().thumbnail(first.url + path)
        try await objects.waitForResults(1)
        first.end()
        let second = try await CalotypeProcess.node(options)
        let before = (results: try await objects.counts(of: "results"), photos: try await objects.counts(of: "photos"))
        let client = ThumbnailClient(connections: 100)
        try await inTasks(100, Array(0..<100)) { [url = second.url + path] _ in
            guard try await client.thumbnail(url) == result else { throw BenchError("another result") }
        }
        let reads = try await objects.counts(of: "results").reads - before.results.reads
        let fetches = try await objects.counts(of: "photos").reads - before.photos.reads
        let decodes = try await second.decodes()
        bench.report("far-herd-reads", with: "one", unit: "reads", bar: .exactly(1), [(Double(reads), 1)])
        for (unit, count) in [("fetches", fetches), ("decodes", decodes)] {
            bench.report(
                "far-herd-\(unit)", with: "none; one is added", unit: unit, bar: .exactly(1), [(Double(count + 1), 1)])
        }
    }
}
