import CalotypeURLs
import Foundation

/// A search for the quality whose file looks as much like its image as wanted.
///
/// A format's scores grow with the quality in about the same way for all images, only higher or lower. So the first file
/// predicts the quality of the second, and the search usually ends with it or with the next one.
struct ScoreSearch {
    private let score: Double
    private let error: Double
    private let qualities: ClosedRange<Int>
    /// The mean scores of photographs at some qualities, both growing.
    private let usual: [(quality: Double, score: Double)]

    /// The files that a search makes at most.
    static let limit = 4

    /// - Parameter error: The difference of scores that ends the search.
    init(_ score: Double, error: Double, qualities: ClosedRange<Int>, usual: [(quality: Double, score: Double)]) {
        (self.score, self.error, self.qualities, self.usual) = (score, error, qualities, usual)
    }

    private struct Attempt {
        let quality: Int
        let score: Double
        let data: Data
    }

    /// Returns the file whose score is the nearest, and its quality.
    func best<Failure: Error>(
        _ encode: (Int) throws(Failure) -> (Data, score: Double)
    ) throws(Failure) -> (data: Data, quality: Int) {
        var tried: [Attempt] = []
        // The last that scored less than wanted, and the last that did not.
        var below: Attempt?, above: Attempt?
        repeat {
            let lower = below.map { $0.quality + 1 } ?? qualities.lowerBound
            let upper = above.map { $0.quality - 1 } ?? qualities.upperBound
            guard lower <= upper || tried.isEmpty else { break }
            let quality = max(min(Int(quality(ofUsual: aim(below, above, tried)).rounded()), upper), lower)
            let (data, score) = try encode(quality)
            let attempt = Attempt(quality: quality, score: score, data: data)
            if score < self.score { below = attempt } else { above = attempt }
            tried.append(attempt)
        } while abs(tried[tried.count - 1].score - score) > error && tried.count < Self.limit
        let best = tried.dropFirst().reduce(tried[0]) { abs($1.score - score) < abs($0.score - score) ? $1 : $0 }
        return (best.data, best.quality)
    }

    /// Returns the score that photographs usually have at the quality at which this image should have the wanted one.
    private func aim(_ below: Attempt?, _ above: Attempt?, _ tried: [Attempt]) -> Double {
        guard let last = tried.last else { return score }
        let other =
            below != nil && above != nil ? (below?.quality == last.quality ? above : below) : tried.dropLast().last
        let start = usualScore(of: last.quality)
        guard let other, other.quality != last.quality else { return start + score - last.score }
        // How much more this image's scores grow than those of photographs usually do.
        let growth = (last.score - other.score) / (start - usualScore(of: other.quality))
        return start + (score - last.score) / min(max(growth, 0.3), 3)
    }

    private func usualScore(of quality: Int) -> Double {
        line(usual.map { ($0.quality, $0.score) }, at: Double(quality))
    }

    private func quality(ofUsual score: Double) -> Double { line(usual.map { ($0.score, $0.quality) }, at: score) }

    /// The height at `x` of the line through points, which goes on straight beyond both ends.
    private func line(_ points: [(x: Double, y: Double)], at x: Double) -> Double {
        let index = min(max(points.firstIndex { $0.x > x } ?? points.count, 1), points.count - 1)
        let (from, to) = (points[index - 1], points[index])
        return from.y + (to.y - from.y) * (x - from.x) / (to.x - from.x)
    }

    /// The mean scores of ten photographs at 400 and 800 pixels. At 90, JPEG and AVIF begin to keep the full resolution of colors.
    static func usualScores(of format: RenditionFormat) -> [(quality: Double, score: Double)] {
        let scores: [Double] =
            switch format {
            case .jpeg, .png: [39.2, 55.9, 64.2, 69.9, 77.3, 82.9, 88.4, 92.3]
            case .webp: [36.4, 49.4, 58.4, 64.9, 73.8, 81.7, 82.5, 86]
            case .avif: [-2, 34, 61, 74.6, 81.9, 86.3, 91.2, 93.5]
            #if JPEGXL
                case .jxl: [34.1, 49.2, 58.5, 68.9, 77.4, 84.5, 85.5, 90.3]
            #endif
            }
        return zip([20, 35, 50, 65, 80, 89, 90, 95], scores).map { (quality: $0, score: $1) }
    }
}
