import Foundation

extension Scenario {
    /// The cost of a thumbnail that no cache has, from a camera's photograph.
    static let serveCold = Scenario(
        name: "serve-cold",
        summary: "calotype serve: processor time of a JPEG of 400 px from 12 megapixels as JPEG, WebP and PNG"
    ) { bench in
        let jpeg = try ThumbnailContest(
            bench, "serve-cold-jpeg", of: (Photographs.large, "jpg"), count: bench.isQuick ? 16 : 32)
        try await jpeg.compareWithThumbor(.atMost(1))
        try await jpeg.compareWithImageFilter(.atMost(0.25))
        try await jpeg.compareWithVips()
        for (type, photo, bar) in [("webp", Photographs.largeWebP, 0.55), ("png", Photographs.largePNG, 0.8)] {
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
