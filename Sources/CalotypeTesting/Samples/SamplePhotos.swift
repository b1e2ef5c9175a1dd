public import CalotypeCodecs
public import Foundation

/// Sample images drawn in code, with sky, light, round shapes and noise, so that they compress like photographs.
///
/// Equal sizes and seeds always give the same image; different seeds give visibly different ones. Sizes are in pixels
/// and clamped to 1…16,000. A JPEG of 640 × 480 takes about 20 KB on Linux.
public enum SamplePhotos {
    /// Returns the image for `seed`.
    ///
    /// - Parameter hasAlpha: Whether the left quarter fades out, from opaque to fully transparent at the edge.
    public static func bitmap(
        width: Int = 640, height: Int = 480, seed: Int = 1, hasAlpha: Bool = false
    ) -> Bitmap {
        let (width, height) = (clamp(width), clamp(height))
        return drawn {
            try Bitmap(width: width, height: height, hasAlpha: hasAlpha) { pixels, stride in
                var canvas = SampleCanvas(pixels: pixels, stride: stride, width: width, height: height, seed: seed)
                canvas.paint(fadingOut: hasAlpha)
            }
        }
    }

    /// Returns the image for `seed` as a JPEG.
    ///
    /// - Parameter quality: From 0 to 100.
    public static func jpeg(width: Int = 640, height: Int = 480, seed: Int = 1, quality: Int = 80) -> Data {
        encoded(bitmap(width: width, height: height, seed: seed), as: .jpeg(quality: quality))
    }

    /// Returns the image for `seed` as a PNG.
    public static func png(width: Int = 640, height: Int = 480, seed: Int = 1, hasAlpha: Bool = false) -> Data {
        encoded(bitmap(width: width, height: height, seed: seed, hasAlpha: hasAlpha), as: .png)
    }

    /// Returns the image for `seed` as a WebP.
    ///
    /// - Parameter quality: From 0 to 100.
    public static func webp(
        width: Int = 640, height: Int = 480, seed: Int = 1, quality: Int = 80, hasAlpha: Bool = false
    ) -> Data {
        encoded(bitmap(width: width, height: height, seed: seed, hasAlpha: hasAlpha), as: .webp(quality: quality))
    }

    private static func clamp(_ size: Int) -> Int { min(max(size, 1), 16_000) }

    private static func encoded(_ bitmap: Bitmap, as format: EncodingFormat) -> Data {
        drawn { try bitmap.encoded(as: format) }
    }

    private static func drawn<Result>(_ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            // Every allowed size can be encoded: only exhausted memory leads here, and then no test can continue.
            fatalError("no sample photo: \(error)")
        }
    }
}
