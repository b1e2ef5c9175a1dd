package import CalotypeCodecs
import Foundation

/// How alike two images look: SSIMULACRA2 (Jon Sneyers, Cloudinary, 2023; version 2.1), 100 for equal images.
///
/// About 90 cannot be told from the original side by side, 80 is a good photograph on the web, 70 high, 50 medium quality.
/// Structure, ringing and blur are compared in the colours of XYB at five sizes, and weighed as people judged 22,000 images.
///
/// Two things differ from the metric's first program. Weights below 0.003, by which its training was kept stable, are left
/// out: together they change a score by less than 0.01, and they are half of the work. An image with a side below 256 pixels is
/// reflected at its edges until it has as many, because that program gives wrong weights to what has fewer sizes.
///
/// Same pixels have the same score on every processor: no operation depends on how many numbers it computes at a time.
package enum PerceptualSimilarity {
    /// Returns the score, or `nil` if the sizes differ.
    ///
    /// Transparent images are compared over a dark and a light background; the lower score counts. If one of them has no
    /// transparency, both are compared over white.
    package static func score(_ original: Bitmap, _ other: Bitmap) -> Double? {
        guard original.width == other.width, original.height == other.height else { return nil }
        guard original.hasAlpha, other.hasAlpha else { return score(original, other, background: 255) }
        return min(score(original, other, background: 26), score(original, other, background: 230))
    }

    /// Returns the memory of a comparison in bytes.
    package static func memory(width: Int) -> Int { 800 * max(width, leastSide) }

    private static let leastSide = 256

    /// - Parameter background: The grey below both images, in sRGB.
    private static func score(_ original: Bitmap, _ other: Bitmap, background: Int) -> Double {
        let (width, height) = (max(original.width, leastSide), max(original.height, leastSide))
        let full = SimilaritySize(width: width, height: height)
        let columns = (0..<width).map { reflected($0, original.width) }
        for y in 0..<height {
            let row = reflected(y, original.height)
            for (bitmap, image) in [(original, 0), (other, 1)] {
                read(bitmap, row: row, columns: columns, background: background) { full.light(image: image, plane: $0) }
            }
            full.addRow()
        }
        return SimilarityWeights.score(ofSum: full.weightedSum)
    }

    /// The position in an image of `count` pixels that is reflected at both edges, as often as necessary.
    private static func reflected(_ position: Int, _ count: Int) -> Int {
        let place = position % (2 * count)
        return place < count ? place : 2 * count - 1 - place
    }

    /// Writes one row in linear light, from 0 to 1: red, green and blue.
    private static func read(
        _ bitmap: Bitmap, row: Int, columns: [Int], background: Int, into planes: (Int) -> UnsafeMutablePointer<Float>
    ) {
        let (red, green, blue) = (planes(0), planes(1), planes(2))
        bitmap.withUnsafeBytes { bytes in
            linear.withUnsafeBufferPointer { linear in
                for (x, column) in columns.enumerated() {
                    let pixel = row * bitmap.stride + 4 * column
                    let below = (255 - Int(bytes[pixel + 3])) * background
                    let added = below == 0 ? 0 : (below + 127) / 255
                    red[x] = linear[min(Int(bytes[pixel + 2]) + added, 255)]
                    green[x] = linear[min(Int(bytes[pixel + 1]) + added, 255)]
                    blue[x] = linear[min(Int(bytes[pixel]) + added, 255)]
                }
            }
        }
    }

    /// Linear light of each of the 256 values of sRGB (IEC 61966-2-1).
    private static let linear: [Float] = (0..<256).map {
        let value = Double($0) / 255
        return Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
    }
}
