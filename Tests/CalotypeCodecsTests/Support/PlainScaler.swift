@testable import CalotypeCodecs

/// The scaling of a whole image in memory, number by number. Every way through `RowScaler` must give its result, to the
/// bit.
struct PlainScaler {
    let scaling: ImageScaling
    let hasAlpha: Bool

    /// - Parameter pixels: The rows of the source, four bytes per pixel.
    func scaled(_ pixels: [[UInt8]]) -> [[UInt8]] {
        var rows = pixels
        for level in 0..<max(scaling.columns.halvings, scaling.rows.halvings) {
            rows = halved(
                rows, columns: level < scaling.columns.halvings, rows: level < scaling.rows.halvings)
        }
        return filteredDown(rows.map(filteredAcross))
    }

    private func halved(_ pixels: [[UInt8]], columns: Bool, rows: Bool) -> [[UInt8]] {
        stride(from: 0, to: pixels.count, by: rows ? 2 : 1).map { y in
            let (upper, lower) = (pixels[y], pixels[rows ? min(y + 1, pixels.count - 1) : y])
            let width = upper.count / 4
            return stride(from: 0, to: width, by: columns ? 2 : 1).flatMap { x in
                (0..<4).map { channel in
                    let (left, right) = (4 * x + channel, 4 * min(x + 1, width - 1) + channel)
                    let above = Int(upper[left]) + Int(lower[left])
                    return UInt8(columns ? (above + Int(upper[right]) + Int(lower[right]) + 2) / 4 : (above + 1) / 2)
                }
            }
        }
    }

    private func filteredAcross(_ row: [UInt8]) -> [Int] {
        let weights = AxisWeights(scaling.columns)
        return weights.firsts.indices.flatMap { x in
            (0..<4).map { channel in
                let sum = (0..<weights.taps).reduce(1 << 7) { sum, tap in
                    let index = 4 * (Int(weights.firsts[x]) + tap) + channel
                    let weight = Int(weights.weights[x * weights.taps + tap])
                    return index < row.count ? sum + Int(row[index]) * weight : sum
                }
                return min(max(sum >> 8, -32_768), 32_767)
            }
        }
    }

    private func filteredDown(_ rows: [[Int]]) -> [[UInt8]] {
        let weights = AxisWeights(scaling.rows)
        return weights.firsts.indices.map { y in
            stride(from: 0, to: rows[0].count, by: 4).flatMap { place in
                let sums = (0..<4).map { channel in
                    (0..<weights.taps).reduce(1 << 19) { sum, tap in
                        let row = Int(weights.firsts[y]) + tap
                        let weight = Int(weights.weights[y * weights.taps + tap])
                        return row < rows.count ? sum + rows[row][place + channel] * weight : sum
                    }
                }
                return pixel(sums)
            }
        }
    }

    private func pixel(_ sums: [Int]) -> [UInt8] {
        var levels = sums.map { min(max($0 >> 20, 0), 255) }
        guard hasAlpha else { return levels.map(UInt8.init) }
        let alpha = sums[3] - 1 << 19
        if sums[3] > 255 << 20 + 1 << 19 {
            levels = sums.map { min((255 * max($0 - 1 << 19, 0) + alpha / 2) / alpha, 255) }
            levels[3] = 255
        }
        return levels.map { UInt8(min($0, levels[3])) }
    }
}

extension Bitmap {
    /// The bytes of each row.
    var rowBytes: [[UInt8]] {
        withUnsafeBytes { bytes in (0..<height).map { Array(bytes[$0 * stride..<$0 * stride + 4 * width]) } }
    }

    init(rows: [[UInt8]], hasAlpha: Bool) throws {
        try self.init(width: rows[0].count / 4, height: rows.count, hasAlpha: hasAlpha) { pixels, stride in
            for (y, row) in rows.enumerated() {
                UnsafeMutableRawBufferPointer(rebasing: pixels[(y * stride)...]).copyBytes(from: row)
            }
        }
    }
}
