/// Scales rows of 16 bits as ``RowScaler`` does those of 8, with the same halving and the same weights, in single precision.
///
/// Keeps as many rows of the result's width as a pixel of the result has weights.
final class DeepScaler {
    private typealias Samples = UnsafeMutablePointer<SIMD4<Float>>

    private let scaling: ImageScaling
    private let columns: AxisWeights
    private let rows: AxisWeights

    /// The halved samples of the rows that are averaged, padded with zeros to the weights of a pixel.
    private let halved: WorkMemory
    /// The number of rows in `halved`.
    private var halvedRows = 0

    private let ring: WorkMemory
    /// The number of rows that have been in the ring buffer.
    private var ringCount = 0
    /// The sums of a row of the result.
    private let sums: WorkMemory

    /// A finished row of the result.
    private let finished: DeepPixels
    private var finishedCount = 0

    init(_ scaling: ImageScaling) throws(CodecError) {
        self.scaling = scaling
        columns = AxisWeights.shared(scaling.columns)
        rows = AxisWeights.shared(scaling.rows, inPairs: true)
        halved = try WorkMemory(bytes: Self.pixelBytes * max(scaling.columns.halvedCount, columns.taps))
        ring = try WorkMemory(bytes: Self.pixelBytes * rows.taps * scaling.columns.target)
        sums = try WorkMemory(bytes: Self.pixelBytes * scaling.columns.target)
        finished = try DeepPixels(width: scaling.columns.target)
    }

    private static let pixelBytes = MemoryLayout<SIMD4<Float>>.stride
    /// The alpha of an opaque pixel.
    private static let opaque: Float = 65_535

    /// Returns the memory in bytes besides incoming rows and the result.
    static func workingBytes(_ scaling: ImageScaling) -> Int {
        let (columns, rows) = (scaling.columns, scaling.rows)
        let samples =
            max(columns.halvedCount, columns.tapLimit) + columns.target * (rows.pairedTapLimit + 2)
        // As in `ImageScaling.workingBytes`.
        let weights = columns.target * (28 + 4 * columns.tapLimit) + rows.target * (28 + 4 * rows.pairedTapLimit)
        return pixelBytes * samples + weights
    }

    /// Adds the next row of the image, from top to bottom.
    ///
    /// - Parameter write: Takes the next row of the result, which it may change.
    func add(_ row: DeepRow, _ write: (DeepRow) -> Void) {
        halve(row)
        halvedRows += 1
        if halvedRows == 1 << scaling.rows.halvings { filter(write) }
    }

    /// Writes the remaining rows. Call this after adding the last row.
    func finish(_ write: (DeepRow) -> Void) {
        if halvedRows > 0 { filter(write) }
    }

    /// Adds the averages of neighboring pixels to those of the rows before. The last average may be of fewer pixels.
    private func halve(_ row: DeepRow) {
        let (target, side) = (samples(halved), 1 << scaling.columns.halvings)
        let isFirst = halvedRows == 0
        var x = 0
        for column in 0..<scaling.columns.halvedCount {
            let end = min(x + side, row.count)
            let share = 1 / Float(end - x)
            var sum = SIMD4<Float>.zero
            while x < end {
                sum += SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: row[x]))
                x += 1
            }
            target[column] = isFirst ? sum * share : target[column] + sum * share
        }
    }

    private func filter(_ write: (DeepRow) -> Void) {
        filterAcross()
        while finishedCount < scaling.rows.target, canFinish(finishedCount) {
            filterDown(finishedCount)
            finishedCount += 1
            write(finished.row(0))
        }
    }

    private func filterAcross() {
        let (source, target) = (samples(halved), ringRow(ringCount))
        let scale = 1 / (Float(halvedRows) * Float(AxisWeights.one))
        let taps = columns.taps
        columns.firsts.withUnsafeBufferPointer { firsts in
            columns.weights.withUnsafeBufferPointer { weights in
                for x in firsts.indices {
                    let first = source + Int(firsts[x])
                    var sum = SIMD4<Float>.zero
                    for tap in 0..<taps { sum += first[tap] * Float(weights[x * taps + tap]) }
                    target[x] = sum * scale
                }
            }
        }
        halvedRows = 0
        ringCount += 1
    }

    private func canFinish(_ y: Int) -> Bool {
        ringCount >= min(Int(rows.firsts[y]) + rows.taps, scaling.rows.halvedCount)
    }

    private func filterDown(_ y: Int) {
        let (sum, width) = (samples(sums), scaling.columns.target)
        sum.update(repeating: .zero, count: width)
        for tap in 0..<rows.taps {
            // The weights of rows beyond the last are zero.
            let weight = Float(rows.weights[y * rows.taps + tap]) / Float(AxisWeights.one)
            guard weight != 0 else { continue }
            let row = ringRow(Int(rows.firsts[y]) + tap)
            for x in 0..<width { sum[x] += row[x] * weight }
        }
        let target = finished.row(0)
        for x in 0..<width {
            var pixel = sum[x]
            // Beside an edge, a filter with negative weights exceeds full opacity, and the colors exceed theirs as much.
            if pixel.w > Self.opaque + 0.5 { pixel *= Self.opaque / pixel.w }
            // It exceeds opaque colors, too: no color may be brighter than its alpha.
            let alpha = min(max(pixel.w, 0), Self.opaque)
            func rounded(_ value: Float) -> UInt16 { UInt16(min(max(value, 0), alpha) + 0.5) }
            target[x] = SIMD4(rounded(pixel.x), rounded(pixel.y), rounded(pixel.z), rounded(alpha))
        }
    }

    private func ringRow(_ index: Int) -> Samples { samples(ring) + index % rows.taps * scaling.columns.target }

    private func samples(_ memory: borrowing WorkMemory) -> Samples {
        memory.start.assumingMemoryBound(to: SIMD4<Float>.self)
    }
}
