import Foundation

extension Plane {
    /// Returns the mean structural similarity (Wang et al., 2004) with Gaussian windows of 11 × 11 pixels and a
    /// standard deviation of 1.5 pixels. Equal planes give 1.
    package func similarity(to other: Plane) -> Double {
        let (a, b) = (self, other)
        let (meanA, meanB) = (a.blurred, b.blurred)
        let squareA = a.times(a).blurred, squareB = b.times(b).blurred, product = a.times(b).blurred
        let c1 = 0.01 * 255 * 0.01 * 255, c2 = 0.03 * 255 * 0.03 * 255
        var sum = 0.0
        for index in meanA.values.indices {
            let (x, y) = (meanA.values[index], meanB.values[index])
            let covariance = product.values[index] - x * y
            let variances = squareA.values[index] - x * x + squareB.values[index] - y * y
            sum += (2 * x * y + c1) * (2 * covariance + c2) / ((x * x + y * y + c1) * (variances + c2))
        }
        return sum / Double(meanA.values.count)
    }

    private func times(_ other: Plane) -> Plane {
        Plane(width: width, height: height, values: zip(values, other.values).map { $0 * $1 })
    }

    private static let window: [Double] = {
        let weights = (-5...5).map { exp(-Double($0 * $0) / (2 * 1.5 * 1.5)) }
        let sum = weights.reduce(0, +)
        return weights.map { $0 / sum }
    }()

    /// The blurred plane without its borders, where the window does not fit.
    private var blurred: Plane { blurredAcross.transposed.blurredAcross.transposed }

    private var blurredAcross: Plane {
        let newWidth = max(width - 10, 1)
        let window = Self.window.prefix(width)
        var result: [Double] = []
        result.reserveCapacity(newWidth * height)
        values.withUnsafeBufferPointer { values in
            for y in 0..<height {
                for x in 0..<newWidth {
                    var sum = 0.0
                    for (index, weight) in window.enumerated() { sum += values[y * width + x + index] * weight }
                    result.append(sum)
                }
            }
        }
        return Plane(width: newWidth, height: height, values: result)
    }
}
