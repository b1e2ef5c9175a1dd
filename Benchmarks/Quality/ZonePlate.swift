import CalotypeCodecs
import CalotypeComparison
import Foundation

/// Rings whose spatial frequency grows with their radius: waves of many lengths and all directions favor no filter.
enum ZonePlate {
    /// The number of waves per pixel at the left and right edges.
    private static let finest = 0.2

    static func bitmap(width: Int, height: Int) throws -> Bitmap {
        let radius = Double(width) / 2
        return try Chart.drawn(width: width, height: height) { x, y in
            let (dx, dy) = (Double(x) + 0.5 - radius, Double(y) + 0.5 - Double(height) / 2)
            return Chart.gray(127.5 + 100 * cos(.pi * finest * (dx * dx + dy * dy) / radius))
        }
    }

    /// Returns the contrast of a thumbnail at `cycles` waves per thumbnail pixel. 1 is the contrast of the zone plate.
    ///
    /// - Parameter sourceWidth: The width of the zone plate, in pixels.
    static func contrast(of thumbnail: Plane, cycles: ClosedRange<Double>, sourceWidth: Int) -> Double {
        let factor = Double(sourceWidth) / Double(thumbnail.width)
        let radius = Double(thumbnail.width) / 2
        let radii = cycles.lowerBound / (finest * factor) * radius...cycles.upperBound / (finest * factor) * radius
        var (count, sum, squares) = (0.0, 0.0, 0.0)
        for y in 0..<thumbnail.height {
            for x in 0..<thumbnail.width {
                let (dx, dy) = (Double(x) + 0.5 - radius, Double(y) + 0.5 - Double(thumbnail.height) / 2)
                guard radii.contains((dx * dx + dy * dy).squareRoot()) else { continue }
                let value = thumbnail.values[y * thumbnail.width + x]
                (count, sum, squares) = (count + 1, sum + value, squares + value * value)
            }
        }
        let mean = sum / count
        return (2 * max(squares / count - mean * mean, 0)).squareRoot() / 100
    }
}
