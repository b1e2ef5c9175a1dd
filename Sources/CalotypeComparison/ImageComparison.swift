package import CalotypeCodecs
import Foundation

/// The difference between two images of the same size. Transparent pixels are compared over white.
package struct ImageComparison: Sendable {
    /// The mean structural similarity of luma; 1 for equal images.
    package let similarity: Double
    /// The peak signal-to-noise ratio of red, green and blue together, in decibels; infinite for equal images.
    package let signalToNoise: Double
    /// Whether all pixels are equal after blending with white.
    package var isEqual: Bool { signalToNoise.isInfinite }

    /// Compares two images, or returns `nil` if their sizes differ.
    package init?(_ first: Bitmap, _ second: Bitmap) {
        guard first.width == second.width, first.height == second.height else { return nil }
        similarity = Self.similarity(first, second)
        signalToNoise = Self.signalToNoise(first, second)
    }

    /// Returns the mean similarity, computed in bands of rows to limit the memory for the planes of a large image. Each
    /// band overlaps the next by 10 rows, because a window covers 11, and is weighted by its number of windows.
    private static func similarity(_ first: Bitmap, _ second: Bitmap) -> Double {
        let (bandHeight, reach) = (128, 10)
        let windows = max(first.height - reach, 1)
        var sum = 0.0
        for top in stride(from: 0, to: windows, by: bandHeight) {
            let count = min(bandHeight, windows - top)
            let rows = top..<min(top + count + reach, first.height)
            sum += Plane(first, rows: rows).similarity(to: Plane(second, rows: rows)) * Double(count)
        }
        return sum / Double(windows)
    }

    private static func signalToNoise(_ first: Bitmap, _ second: Bitmap) -> Double {
        var squares = 0
        first.withUnsafeBytes { pixels in
            second.withUnsafeBytes { others in
                for y in 0..<first.height {
                    for x in 0..<first.width {
                        let (one, other) = (y * first.stride + 4 * x, y * second.stride + 4 * x)
                        let white = Int(others[other + 3]) - Int(pixels[one + 3])
                        for channel in 0..<3 {
                            let difference = Int(pixels[one + channel]) - Int(others[other + channel]) + white
                            squares += difference * difference
                        }
                    }
                }
            }
        }
        let mean = Double(squares) / Double(3 * first.width * first.height)
        return mean == 0 ? .infinity : 10 * log10(255 * 255 / mean)
    }
}
