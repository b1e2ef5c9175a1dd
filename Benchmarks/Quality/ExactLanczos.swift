import CalotypeComparison
import Foundation

extension Plane {
    /// Scales by Lanczos-3 in double precision, directly from all pixels: the reference for the thumbnails of the
    /// library and of libvips.
    func exactlyScaled(to newWidth: Int, _ newHeight: Int) -> Plane {
        // Scale rows both times, because rows are contiguous in memory.
        let across = scaledAcross(to: newWidth)
        var result = across.transposed.scaledAcross(to: newHeight).transposed
        result.values = result.values.map { min(max($0.rounded(), 0), 255) }
        return result
    }

    private func scaledAcross(to newWidth: Int) -> Plane {
        let taps = (0..<newWidth).map { Self.taps(at: $0, from: width, to: newWidth) }
        var result: [Double] = []
        result.reserveCapacity(newWidth * height)
        values.withUnsafeBufferPointer { values in
            for y in 0..<height {
                for (first, weights) in taps {
                    var sum = 0.0
                    for (index, weight) in weights.enumerated() { sum += values[y * width + first + index] * weight }
                    result.append(sum)
                }
            }
        }
        return Plane(width: newWidth, height: height, values: result)
    }

    private static func taps(at place: Int, from source: Int, to target: Int) -> (first: Int, weights: [Double]) {
        let ratio = Double(source) / Double(target), scale = max(ratio, 1)
        let center = (Double(place) + 0.5) * ratio
        let first = max(Int((center - 3 * scale).rounded(.down)), 0)
        let last = min(Int((center + 3 * scale).rounded(.up)), source) - 1
        let weights = (first...last).map { lanczos3((Double($0) + 0.5 - center) / scale) }
        let sum = weights.reduce(0, +)
        return (first, weights.map { $0 / sum })
    }
}

func lanczos3(_ x: Double) -> Double {
    guard abs(x) < 3, x != 0 else { return x == 0 ? 1 : 0 }
    return 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x)
}
