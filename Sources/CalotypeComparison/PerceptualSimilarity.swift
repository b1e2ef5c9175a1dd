package import CalotypeCodecs

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
    package static func score(_ original: Bitmap, _ other: Bitmap) -> Double? { Reference(original).score(of: other) }

    /// Returns the memory of a comparison in bytes.
    package static func memory(of size: PixelSize, hasAlpha: Bool) -> Int {
        let sides = [size.width, size.height].map { SimilarityImage.side(min($0, 1 << 20)) }
        let images = hasAlpha ? 3 : 2
        return images * SimilarityImage.memory(width: sides[0], height: sides[1])
            + SimilaritySize.memory(width: sides[0])
    }

    /// An original with which several images are compared. Its half of the work is done once.
    package final class Reference {
        private let original: Bitmap
        /// The original over the backgrounds that a comparison needed.
        private var images: [Int: SimilarityImage] = [:]

        package init(_ original: Bitmap) { self.original = original }

        /// Returns the score of an image, or `nil` if the sizes differ.
        package func score(of other: Bitmap) -> Double? {
            guard original.width == other.width, original.height == other.height else { return nil }
            guard original.hasAlpha, other.hasAlpha else { return score(of: other, background: 255) }
            return min(score(of: other, background: 26), score(of: other, background: 230))
        }

        private func score(of other: Bitmap, background: Int) -> Double {
            let reference = images[background] ?? Self.image(of: original, background)
            images[background] = reference
            return reference.score(of: Self.image(of: other, background))
        }

        private static func image(of bitmap: Bitmap, _ background: Int) -> SimilarityImage {
            bitmap.withUnsafeBytes {
                SimilarityImage(
                    $0, size: (bitmap.width, bitmap.height), stride: bitmap.stride, background: background)
            }
        }
    }
}
