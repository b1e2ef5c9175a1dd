import CalotypeTesting
import Foundation

extension Scenario {
    /// The cost of signatures.
    static let s3Source = Scenario(
        name: "s3-source",
        summary: "calotype serve: processor time of 1,000 sources of 23 KB from a bucket, and over plain HTTP"
    ) { bench in
        let objects = try ObjectStoreProcess()
        try await objects.put(try photoOf23Kilobytes(), as: "photos/small/*")
        let signed = try await SourceLoad(of: "s3://photos/small", objects.sources)
        let plain = try await SourceLoad(of: "\(objects.url)/photos/small", [], allowed: "\(objects.url)/photos")
        try await bench.compare(
            "s3-source", with: "plain HTTP", unit: "ms", bar: .atMost(1.15), pairs: bench.isQuick ? 7 : 15
        ) {
            try await signed.secondsOf(1000) * 1e3
        } baseline: {
            try await plain.secondsOf(1000) * 1e3
        }
        withExtendedLifetime(objects) {}
    }

    private static func photoOf23Kilobytes() throws -> Data {
        for width in stride(from: 300, through: 800, by: 20) {
            let photo = SamplePhotos.jpeg(width: width, height: width * 3 / 4)
            if (23_000..<26_000).contains(photo.count) { return photo }
        }
        throw BenchError("no photograph has 23 KB")
    }
}

/// A server, and sources that it has not loaded yet. It sends them unchanged, so that loading is most of the work.
private final class SourceLoad {
    private let folder: String
    private let server: CalotypeProcess
    private let client = ThumbnailClient()
    private var loaded = 0

    /// - Parameter folder: The beginning of the sources' URLs.
    init(of folder: String, _ options: [String], allowed: String? = nil) async throws {
        self.folder = folder
        server = try await .node(options, allowed: allowed)
    }

    /// Returns the processor time of the server for as many new sources, in seconds.
    func secondsOf(_ count: Int) async throws -> Double {
        let urls = try (loaded..<loaded + count).map {
            try server.url + ThumbnailURL.unchanged("\(folder)/\($0).jpg", buster: "1")
        }
        loaded += count
        let start = try server.tree.processorSeconds()
        try await inTasks(2, urls) { [client] in _ = try await client.thumbnail($0) }
        return try server.tree.processorSeconds() - start
    }
}
