import Calotype
import CalotypeCodecs
import Foundation

extension Scenario {
    /// The cost of all stages of a miss together, with an instant network and codec.
    static let pipeline = Scenario(
        name: "pipeline", summary: "5,000 images that are nowhere yet, with an instant transport and codec"
    ) { bench in
        let urls = PipelineRound.urls(5000)
        try await bench.compare(
            "pipeline", with: "5,000 tasks, one actor hop each", unit: "ms", bar: .atMost(8),
            pairs: bench.isQuick ? 21 : 41
        ) {
            try await PipelineRound.run(urls, InstantTransport()) * 1e3
        } baseline: {
            try await allProcessorSeconds { try await ActorHops.run(urls) } * 1e3
        }
        try await bench.compare(
            "pipeline-article", with: "an actor with one table", unit: "ms", bar: .atMost(3),
            pairs: bench.isQuick ? 21 : 41
        ) {
            try await PipelineRound.run(urls, InstantTransport()) * 1e3
        } baseline: {
            let loader = ArticleLoader(InstantTransport())
            return try await PipelineRound.run(urls) { try await loader.fetch($0).width } * 1e3
        }
    }

    /// The cost of joining a load in flight, or of finding its image in memory.
    static let coalescing = Scenario(
        name: "coalescing", summary: "10,000 requests for 100 images: 100 transports, not one more"
    ) { bench in
        let distinct = PipelineRound.urls(100)
        let urls = (0..<10_000).map { distinct[$0 % distinct.count] }
        var transports: [(ours: Double, baseline: Double)] = []
        try await bench.compare(
            "coalescing", with: "10,000 tasks, one actor hop each", unit: "ms", bar: .atMost(2),
            pairs: bench.isQuick ? 21 : 41
        ) {
            let transport = InstantTransport()
            let time = try await PipelineRound.run(urls, transport)
            transports.append((Double(transport.count), Double(distinct.count)))
            return time * 1e3
        } baseline: {
            try await allProcessorSeconds { try await ActorHops.run(urls) } * 1e3
        }
        bench.report(
            "coalescing-transports", with: "distinct URLs", unit: "", bar: .exactly(1), transports)
    }
}

/// A round of the benchmark, which starts one task for each request, all at once.
private enum PipelineRound {
    static func urls(_ count: Int) -> [URL] {
        (0..<count).compactMap { URL(string: "https://images.example.org/photos/\($0)/large.jpg") }
    }

    /// Loads all URLs with a new loader.
    ///
    /// - Returns: The processor time of all threads, in seconds, without the creation of the loader.
    static func run(_ urls: [URL], _ transport: InstantTransport) async throws -> Double {
        let loader = ImageLoader(.fake(transport))
        return try await run(urls) { try await loader.fetch($0).width }
    }

    /// - Parameter width: Loads an image and returns its width.
    static func run(_ urls: [URL], _ width: @escaping @Sendable (URL) async throws -> Int) async throws -> Double {
        try await allProcessorSeconds {
            let tasks = urls.map { url in Task { try await width(url) } }
            var width = 0
            for task in tasks { width += try await task.value }
            guard width == urls.count else { throw BenchError("an image got lost") }
        }
    }
}
