import CalotypeBase
import CalotypeCodecs
import CalotypeTesting
import Foundation

extension Scenario {
    /// The cost of pages with five sizes of one photograph each, while others are asked for.
    static let servePage = Scenario(
        name: "serve-page",
        summary: "calotype serve: processor time of pages with five sizes of one of 1,000 photographs, 16 connections"
    ) { bench in
        let load = try PageLoad(photographs: bench.isQuick ? 100 : 1000, pages: bench.isQuick ? 60 : 600)
        var (times, delays): ([(ours: Double, baseline: Double)], [(ours: Double, baseline: Double)]) = ([], [])
        var peak = 0.0
        for round in 0..<(bench.isQuick ? 1 : 3) {
            let ours = try await load.run([], seed: round),
                baseline = try await load.run(["--no-shared-decodes"], seed: round)
            times.append((ours.processorSeconds, baseline.processorSeconds))
            delays.append((ours.slowest, baseline.slowest))
            peak = max(peak, ours.peak)
        }
        bench.report("serve-page", with: "--no-shared-decodes", unit: "s", bar: .atMost(0.5), times)
        bench.report("serve-page-p99", with: "--no-shared-decodes", unit: "ms", bar: .atMost(1), delays)
        bench.report("serve-page-peak", with: "--memory", unit: "MB", bar: .atMost(1), [(peak / 1e6, 512)])
    }
}

/// Pages of five sizes each. Popular photographs are on many pages, so that some sizes are stored.
private final class PageLoad {
    struct Outcome {
        let processorSeconds: Double
        /// The time in milliseconds within which 99 of 100 answers came.
        let slowest: Double
        let peak: Double
    }

    private static let widths = [160, 320, 480, 640, 800]
    private static let connections = 16

    private let folder: ScratchDirectory
    private let photographs: Int
    private let pages: Int

    init(photographs: Int, pages: Int) throws {
        (self.photographs, self.pages) = (photographs, pages)
        folder = try ScratchDirectory()
        // One photograph under many names: the server has it for as many originals.
        let photo = try Photographs.largePhotograph.encoded(as: .jpeg(quality: 90))
        try photo.write(to: URL(fileURLWithPath: "\(folder.path)/0.jpg"))
        for number in 1..<photographs {
            try FileManager.default.linkItem(atPath: "\(folder.path)/0.jpg", toPath: "\(folder.path)/\(number).jpg")
        }
    }

    func run(_ options: [String], seed: Int) async throws -> Outcome {
        let server = try CalotypeProcess.serve(
            root: folder.path, options: ["--memory", "512MB", "--log", "none"] + options)
        var random = SplitMix(seed: UInt64(7 + seed))
        let zipf = Zipf(count: photographs, exponent: 0.9)
        let urls = try (0..<pages).flatMap { _ in
            let photo = zipf.next(&random)
            return try Self.widths.map {
                server.url + (try ThumbnailURL.path("local:///\(photo).jpg", width: $0, format: "jpg"))
            }
        }
        let client = ThumbnailClient(connections: Self.connections), watch = MemoryWatch(server.tree)
        let delays = Locked<[Double]>([])
        let start = try server.tree.processorSeconds()
        try await inTasks(Self.connections, urls) { url in
            let delay = try await seconds { _ = try await client.thumbnail(url) }
            delays.withLock { $0.append(delay * 1e3) }
        }
        let time = try server.tree.processorSeconds() - start
        let sorted = delays.withLock { $0.sorted() }
        return Outcome(processorSeconds: time, slowest: sorted[sorted.count * 99 / 100], peak: watch.peak)
    }
}
