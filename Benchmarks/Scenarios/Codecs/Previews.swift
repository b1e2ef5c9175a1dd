import Calotype
import CalotypeCodecs
import CalotypeTesting
import Foundation

// The cost of previews: a progressive JPEG of 12 megapixels, at the size of a large view, arrives in 64 pieces.

extension Scenario {
    static let previewCost = Scenario(
        name: "preview-cost",
        summary: "processor time of a progressive JPEG of 12 megapixels over a slow link, with previews"
    ) { bench in
        let progressive = try DecoderRegistry.standard.decode(Photographs.large)
            .encoded(as: .jpeg(quality: 80, isProgressive: true))
        var shown = 0
        try await bench.compare(
            "preview-cost", with: "without previews", unit: "ms", bar: .atMost(2.5), pairs: bench.isQuick ? 5 : 11
        ) {
            try await allProcessorSeconds { shown = try await load(progressive, .scans) } * 1e3
        } baseline: {
            try await allProcessorSeconds { _ = try await load(progressive, .off) } * 1e3
        }
        guard shown > 1 else { throw BenchError("\(shown) previews") }
    }

    /// Loads the file, and returns the number of previews.
    private static func load(_ file: Data, _ previews: ImagePreviews) async throws -> Int {
        let link = SlowLink(file, pieces: 64)
        var options = ImageLoaderOptions.ephemeral
        options.transport = link
        options.clock = link.clock
        options.previews = previews
        let loader = ImageLoader(options)
        link.serve(loader)
        var count = 0
        guard let url = URL(string: "http://photos.example/large") else { throw BenchError("no URL") }
        for try await event in loader.events(for: ImageRequest(url, size: ResizeTarget(width: 1200))) {
            if event.preview != nil { count += 1 }
        }
        return count
    }
}
