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

    /// Returns a gradient of strong colors in Display P3, most of which sRGB lacks, as a PNG.
    package static func displayP3PNG(width: Int, height: Int) -> Data {
        let (width, height) = (clamp(width), clamp(height))
        let gradient = drawn {
            try Bitmap(width: width, height: height, hasAlpha: false) { pixels, stride in
                for y in 0..<height {
                    for x in 0..<width {
                        let color = UInt32(255 * x / width) << 16 | UInt32(255 * y / height) << 8
                        pixels.storeBytes(of: 0xFF00_0000 | color, toByteOffset: y * stride + 4 * x, as: UInt32.self)
                    }
                }
            }
        }
        // cICP with the code points 12/13/0/1 and its checksum. It counts before the sRGB chunk that follows the header.
        let chunk = Data([0, 0, 0, 4]) + Data("cICP".utf8) + Data([12, 13, 0, 1, 0x6E, 0x03, 0xE3, 0xEF])
        let png = encoded(gradient, as: .png)
        return png.prefix(33) + chunk + png.dropFirst(33)
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
