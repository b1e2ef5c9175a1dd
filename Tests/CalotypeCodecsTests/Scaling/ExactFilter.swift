import CalotypeCodecs
import Foundation

/// The filters by their textbook formulas, in double precision, directly from every pixel of the source.
struct ExactFilter: Sendable {
    let radius: Double
    let kernel: @Sendable (Double) -> Double

    static let lanczos3 = ExactFilter(radius: 3) { x in
        x == 0 ? 1 : 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x)
    }
    static let catmullRom = ExactFilter(radius: 2) { x in
        let x = abs(x)
        return x < 1
            ? (3 * pow(x, 3) - 5 * pow(x, 2) + 2) / 2 : (-pow(x, 3) + 5 * pow(x, 2) - 8 * x + 4) / 2
    }
    static let bilinear = ExactFilter(radius: 1) { 1 - abs($0) }

    /// Returns the result before rounding: rows of pixels of four channels, clamped to 0...255.
    func scaled(_ source: Bitmap, to size: PixelSize) -> [[SIMD4<Double>]] {
        let pixels = source.pixels.map { $0.map(\.channels) }
        let columns = weights(from: source.width, to: size.width)
        let rows = weights(from: source.height, to: size.height)
        let across = pixels.map { row in columns.map { $0.reduce(SIMD4.zero) { $0 + row[$1.place] * $1.weight } } }
        return rows.map { taps in
            (0..<size.width).map { x in
                let sum = taps.reduce(SIMD4<Double>.zero) { $0 + across[$1.place][x] * $1.weight }
                return sum.clamped(lowerBound: .zero, upperBound: .init(repeating: 255))
            }
        }
    }

    private func weights(from source: Int, to target: Int) -> [[(place: Int, weight: Double)]] {
        let ratio = Double(source) / Double(target)
        let scale = max(ratio, 1)
        return (0..<target).map { place in
            let center = (Double(place) + 0.5) * ratio
            let near = (0..<source).filter { abs(Double($0) + 0.5 - center) < radius * scale }
            let weights = near.map { kernel((Double($0) + 0.5 - center) / scale) }
            let sum = weights.reduce(0, +)
            return zip(near, weights).map { ($0, $1 / sum) }
        }
    }
}

extension Pixel {
    var channels: SIMD4<Double> { SIMD4(Double(blue), Double(green), Double(red), Double(alpha)) }
}

extension Bitmap {
    /// Returns the largest and the mean distance of a channel from the exact values.
    func error(against exact: [[SIMD4<Double>]]) -> (largest: Double, mean: Double) {
        let errors = zip(pixels.joined(), exact.joined()).map { pixel, exact -> SIMD4<Double> in
            let error = pixel.channels - exact
            return error.replacing(with: -error, where: error .< 0)
        }
        return (errors.map { $0.max() }.max() ?? 0, errors.reduce(0) { $0 + $1.sum() } / Double(4 * errors.count))
    }
}
