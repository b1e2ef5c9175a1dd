import Foundation

extension Scenario {
    /// The cost of a thumbnail that no cache has, from a camera's photograph.
    static let serveColdJPEG = Scenario(
        name: "serve-cold-jpeg", summary: "calotype serve: processor time of a JPEG of 400 px from one of 12 megapixels"
    ) { bench in
        let contest = try serveColdContest(bench)
        try await contest.compareWithThumbor(.atMost(1))
        try await contest.compareWithImageFilter(.atMost(0.25))
        try await contest.compareWithVips()
    }

    /// The same beside what needs nothing from elsewhere, for ``FigureGate``.
    static let serveColdGate = Scenario(
        name: "serve-cold-jpeg", summary: "serve-cold-jpeg beside nginx's image_filter alone"
    ) { bench in
        try await serveColdContest(bench).compareWithImageFilter(.atMost(0.25))
    }

    static let serveColdWebP = serveCold("webp", Photographs.largeWebP, bar: 0.55)
    static let serveColdPNG = serveCold("png", Photographs.largePNG, bar: 0.8)

    private static func serveColdContest(_ bench: Bench) throws -> ThumbnailContest {
        try ThumbnailContest(bench, "serve-cold-jpeg", of: (Photographs.large, "jpg"), count: bench.isQuick ? 16 : 32)
    }

    private static func serveCold(_ type: String, _ photo: Data, bar: Double) -> Scenario {
        Scenario(
            name: "serve-cold-\(type)",
            summary: "calotype serve: processor time of a JPEG of 400 px from a file of 12 megapixels in this format"
        ) { bench in
            let contest = try ThumbnailContest(
                bench, "serve-cold-\(type)", of: (photo, type), count: bench.isQuick ? 4 : 12)
            try await contest.compareWithThumbor(.atMost(bar))
        }
    }

    /// The cost of a thumbnail from an image prepared for the web, whose decoding costs less than the other steps.
    static let serveWeb = Scenario(
        name: "serve-web",
        summary: "calotype serve: processor time of a JPEG and a WebP of 400 px from a JPEG of 1600 x 1200"
    ) { bench in
        for (format, bar) in [("jpg", 1.0), ("webp", 1.2)] {
            let contest = try ThumbnailContest(
                bench, "serve-web-\(format == "jpg" ? "jpeg" : format)", of: (Photographs.medium, "jpg"), as: format,
                count: bench.isQuick ? 40 : 80)
            try await contest.compareWithThumbor(.atMost(bar))
        }
    }
}
