public import CalotypeCodecs
public import Foundation

/// Images to test with, drawn by code: sky, light, round shapes and grain, so that they compress much as photographs
/// do.
///
/// The same size and seed always give the same image, another seed one that differs at a glance. Sizes are in pixels
/// and from 1 to 16,000 each; others count as the nearest of these. A file of 640 × 480 takes about 35 KB as JPEG.
public enum SamplePhotos {
    /// - Parameter hasAlpha: whether the left quarter fades out, from opaque to fully transparent at the edge.
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

    /// - Parameter quality: From 0 to 100.
    public static func jpeg(width: Int = 640, height: Int = 480, seed: Int = 1, quality: Int = 80) -> Data {
        encoded(bitmap(width: width, height: height, seed: seed), as: .jpeg(quality: quality))
    }

    /// Returns a PNG with an image that the seed decides.
    public static func png(width: Int = 640, height: Int = 480, seed: Int = 1, hasAlpha: Bool = false) -> Data {
        encoded(bitmap(width: width, height: height, seed: seed, hasAlpha: hasAlpha), as: .png)
    }

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
            // Every size allowed can be drawn and encoded: memory is used up, and no test can go on.
            fatalError("no sample photo: \(error)")
        }
    }
}
