import CalotypeBase
import CalotypeCodecs
import CalotypeComparison
import CalotypeTesting
import Foundation
import Requirements
import TestSupport
import Testing

@testable import CalotypeServer
@testable import CalotypeURLs

/// The search for a quality by the score of its file.
struct ScoreSearchTests {
    private let tried = Log<Int>()

    private func search(
        _ score: Double, error: Double = 1, in qualities: ClosedRange<Int> = 10...95, scores: (Int) -> Double
    ) -> Int {
        ScoreSearch(score, error: error, qualities: qualities, usual: ScoreSearch.usualScores(of: .jpeg)).best {
            quality in
            tried.add(quality)
            return (Data(), score: scores(quality))
        }.quality
    }

    /// The score of photographs, `loss` times as far below 100, and bent.
    private func score(of quality: Int, loss: Double = 1.2, bend: Double = 0.001) -> Double {
        let usual = ScoreSearch.usualScores(of: .jpeg)
        let next = usual.first { $0.quality > Double(quality) } ?? usual[usual.count - 1]
        let index = max(usual.firstIndex { $0.quality == next.quality } ?? 1, 1)
        let (low, high) = (usual[index - 1], usual[index])
        let share = (Double(quality) - low.quality) / (high.quality - low.quality)
        let bent = bend * Double(quality - 60) * Double(quality - 60)
        return 100 - (100 - low.score - share * (high.score - low.score)) * loss - bent
    }

    @Test(.requirement("C3"), arguments: [0.7, 0.85, 1, 1.2, 1.4] as [Double], [-0.001, 0, 0.001])
    func `a search ends near the score, after four files at most`(loss: Double, bend: Double) {
        let wanted = Array(stride(from: 30.0, through: 85, by: 2.5))
        for wanted in wanted {
            let before = tried.count
            let quality = search(wanted) { score(of: $0, loss: loss, bend: bend) }
            #expect(tried.count - before <= ScoreSearch.limit)
            let nearest = (10...95).map { abs(score(of: $0, loss: loss, bend: bend) - wanted) }.min() ?? 0
            let missed = abs(score(of: quality, loss: loss, bend: bend) - wanted)
            #expect(missed <= max(1.5, nearest), "\(wanted) at \(quality)")
        }
        #expect(Double(tried.count) <= 3.1 * Double(wanted.count))
    }

    @Test(.requirement("C3")) func `an image with the usual scores needs one file`() {
        #expect(search(77.3) { $0 == 80 ? 77.5 : 0 } == 80)
        #expect(tried.entries == [80])
    }

    @Test(.requirement("C3")) func `a score that no quality reaches gives the nearest end of the range`() {
        #expect(search(90, in: 40...60) { score(of: $0) } == 60)
        #expect(search(10, in: 40...60) { score(of: $0) } == 40)
        #expect(search(70, in: 55...55) { _ in 20 } == 55)
    }

    @Test(.requirement("C3")) func `scores that do not grow with the quality end the search, too`() {
        _ = search(75) { _ in 20 }
        _ = search(75) { _ in 99 }
        _ = search(75) { Double(100 - $0) }
        _ = search(75, error: 0) { $0.isMultiple(of: 2) ? 99 : 1 }
        #expect(tried.count <= 4 * ScoreSearch.limit)
    }

    @Test(.requirement("C3"), arguments: RenditionFormat.allCases.filter { $0 != .png })
    func `a file has the score that its URL names`(format: RenditionFormat) throws {
        let bitmap = try DecoderRegistry.standard.decode(SamplePhotos.jpeg(width: 320, height: 300))
        var options = RenditionOptions()
        options.autoQuality = AutoQuality(.score(70), qualities: 10...95, error: 1)
        let encoding = RenditionEncoding(options: options, accepted: nil)
        let data = try encoding.encoded(bitmap, as: format) { true }
        let score = try #require(PerceptualSimilarity.score(bitmap, try DecoderRegistry.standard.decode(data)))
        // The scores of a drawn image do not grow as those of photographs, least in JPEG XL.
        #expect(abs(score - 70) <= (format.rawValue == "jxl" ? 2 : 1.5))
    }

    @Test(.requirement("C3")) func `a file may have a limit beside its score`() throws {
        let bitmap = try DecoderRegistry.standard.decode(SamplePhotos.jpeg(width: 320, height: 300))
        var options = RenditionOptions()
        options.autoQuality = AutoQuality(.score(90), qualities: 10...95, error: 1)
        options.maxBytes = 8000
        let encoding = RenditionEncoding(options: options, accepted: nil)
        #expect(try encoding.encoded(bitmap, as: .jpeg) { true }.count <= 8000)
    }

    @Test(.requirement("C3")) func `a size is reached from the highest quality on, and not below the lowest`() throws {
        let bitmap = try DecoderRegistry.standard.decode(SamplePhotos.jpeg(width: 320, height: 300))
        func bytes(_ rule: AutoQuality?, quality: Int = 0) throws -> Int {
            var options = RenditionOptions()
            (options.autoQuality, options.quality) = (rule, quality)
            let encoding = RenditionEncoding(options: options, accepted: nil)
            return try encoding.encoded(bitmap, as: .jpeg) { true }.count
        }
        let (low, high) = (try bytes(nil, quality: 60), try bytes(nil, quality: 90))
        #expect(try bytes(AutoQuality(.size(high), qualities: 60...90)) == high)
        #expect(try bytes(AutoQuality(.size(high + 1), qualities: 60...90), quality: 20) == high)
        #expect(try bytes(AutoQuality(.size(1), qualities: 60...90)) == low)
        let between = try bytes(AutoQuality(.size((low + high) / 2), qualities: 60...90))
        #expect(low < between && between <= (low + high) / 2)
    }

    @Test(.requirement("C3")) func `a search that is cancelled ends between two files`() throws {
        var options = RenditionOptions()
        options.autoQuality = AutoQuality(.score(70), qualities: 10...95, error: 0)
        let encoding = RenditionEncoding(options: options, accepted: nil)
        let bitmap = try DecoderRegistry.standard.decode(SamplePhotos.jpeg(width: 64, height: 64))
        #expect(throws: CodecError.self) { try encoding.encoded(bitmap, as: .jpeg) { false } }
    }
}
