import CalotypeCodecs
import CalotypeComparison
import Foundation

extension Scenario {
    /// The quality of thumbnails, compared with libvips' thumbnails: their structural similarity (SSIM) in luma to
    /// exactly filtered ones, which is 1 for equal images, and their contrast on a zone plate.
    static let qualityThumb = Scenario(
        name: "quality-thumb", summary: "thumbnails of photographs and charts against an exact Lanczos-3"
    ) { bench in
        guard let vips = Vips.shared else { return bench.noteMissingVips("quality-thumb") }
        try photographs(bench, vips)
        try charts(bench, vips)
        try zonePlate(bench, vips)
    }

    private static let widths = [100, 200, 400, 640, 1000]

    /// Reports photographs: at each width, our median similarity may be 0.1 % below that of libvips, and our lowest
    /// similarity must reach 0.98.
    private static func photographs(_ bench: Bench, _ vips: Vips) throws {
        let files = Photographs.found.prefix(bench.isQuick ? 5 : .max)
        guard !files.isEmpty else {
            return bench.printer.note("quality-thumb: no photographs; Scripts/setup bench installs mate-backgrounds")
        }
        var pairs: [Int: [(ours: Double, baseline: Double)]] = [:]
        for file in files {
            let data = try Data(contentsOf: file)
            let subject = try QualitySubject(data)
            for width in widths { pairs[width, default: []].append(try subject.similarities(at: width, vips)) }
        }
        for width in widths {
            let pairs = pairs[width] ?? []
            let ours = pairs.map(\.ours).sorted(), theirs = pairs.map(\.baseline).sorted()
            bench.report(
                "quality-thumb-\(width)", with: "libvips \(vips.version), median of \(pairs.count) photographs",
                unit: "SSIM",
                bar: .atLeast(0.999), [(ours[ours.count / 2], theirs[theirs.count / 2])])
            bench.report(
                "quality-thumb-\(width)-worst", with: "0.98; libvips \(vips.version): \(rounded(theirs[0]))",
                unit: "SSIM",
                bar: .atLeast(1), [(ours[0], 0.98)])
        }
    }

    /// Reports the similarity for each chart. It must be at least 99.5 % of that of libvips.
    private static func charts(_ bench: Bench, _ vips: Vips) throws {
        for chart in Chart.allCases {
            let bitmap = try chart.bitmap()
            for (format, data) in [("jpeg", try Chart.jpeg(bitmap)), ("png", try bitmap.encoded(as: .png))] {
                let subject = try QualitySubject(data)
                let pairs = try widths.map { try subject.similarities(at: $0, vips) }
                guard let worst = pairs.min(by: { $0.ours - $0.baseline < $1.ours - $1.baseline }) else { continue }
                bench.report(
                    "quality-\(chart.rawValue)-\(format)",
                    with: "libvips \(vips.version), the worst of \(widths.count) sizes",
                    unit: "SSIM", bar: .atLeast(0.995), [worst])
            }
        }
    }

    /// Reports the contrast in a zone plate's thumbnail: of waves that the thumbnail can represent, which should
    /// remain, and of finer waves, which should vanish.
    private static func zonePlate(_ bench: Bench, _ vips: Vips) throws {
        let (sourceWidth, width, height) = (2560, 400, 400)
        let data = try Chart.jpeg(ZonePlate.bitmap(width: sourceWidth, height: sourceWidth))
        let ours = try Plane(QualitySubject.thumbnail(data, width: width))
        let theirs = try Plane(vips.thumbnail(data, width: width, height: height), width: width, height: height)
        for (name, cycles, bar) in [("kept", 0.35...0.45, Bar.atLeast(1)), ("left", 0.8...1.2, .atMost(1))] {
            let limit = name == "kept" ? 0.86 : 0.02
            let figures = [ours, theirs].map { ZonePlate.contrast(of: $0, cycles: cycles, sourceWidth: sourceWidth) }
            bench.report(
                "quality-contrast-\(name)", with: "\(limit); libvips \(vips.version): \(rounded(figures[1]))",
                unit: "of 1", bar: bar,
                [(figures[0], limit)])
        }
    }

    private static func rounded(_ value: Double) -> String { String(format: "%.4f", value) }
}
