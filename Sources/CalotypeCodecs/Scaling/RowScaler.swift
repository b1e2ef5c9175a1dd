import CResample

/// Scales an image row by row. If the image shrinks much, first halves its width, its height or both, once or several
/// times. Then filters each row horizontally into a ring buffer, and filters vertically as soon as the buffer contains
/// all rows for a row of the result.
///
/// Only a few rows are in memory at a time, regardless of the image's height.
final class RowScaler {
    private let scaling: ImageScaling
    private let halvers: [RowHalver]
    private let columns: AxisWeights
    private let rows: AxisWeights
    private let hasAlpha: Bool

    /// A zero-padded copy of the row if the image is narrower than the number of horizontal weights per pixel.
    private let padded: WorkMemory
    private let ring: WorkMemory
    /// The number of halved rows received so far.
    private var rowCount = 0

    private let result: UnsafeMutablePointer<UInt8>
    private let stride: Int
    /// The number of finished rows of the result.
    private var writtenCount = 0

    /// - Parameters:
    ///   - result: The memory for the result. It must stay valid for the lifetime of the scaler.
    ///   - stride: The bytes from one row of the result to the next.
    init(
        _ scaling: ImageScaling, hasAlpha: Bool, into result: UnsafeMutablePointer<UInt8>, stride: Int
    ) throws(CodecError) {
        self.scaling = scaling
        self.hasAlpha = hasAlpha
        (self.result, self.stride) = (result, stride)
        halvers = try Self.halvers(scaling)
        columns = AxisWeights.shared(scaling.columns)
        rows = AxisWeights.shared(scaling.rows)
        ring = try WorkMemory(bytes: rows.taps * Self.ringRowBytes(scaling))
        padded = try WorkMemory(bytes: 4 * columns.taps)
        padded.bytes.update(repeating: 0, count: 4 * columns.taps)
    }

    private static func halvers(_ scaling: ImageScaling) throws(CodecError) -> [RowHalver] {
        var halvers: [RowHalver] = []
        var width = scaling.columns.count
        for level in 0..<max(scaling.columns.halvings, scaling.rows.halvings) {
            let halvesColumns = level < scaling.columns.halvings
            halvers.append(try RowHalver(width: width, columns: halvesColumns, rows: level < scaling.rows.halvings))
            if halvesColumns { width = (width + 1) / 2 }
        }
        return halvers
    }

    /// Returns the size of a row in the ring buffer: eight bytes per pixel, padded to a multiple of four pixels.
    private static func ringRowBytes(_ scaling: ImageScaling) -> Int { 8 * ((scaling.columns.window.count + 3) & ~3) }

    /// Adds the next row of the image, from top to bottom.
    func add(_ row: UnsafePointer<UInt8>) { add(row, level: 0) }

    /// Writes the remaining rows. Call this after adding the last row.
    func finish() {
        for (level, halver) in halvers.enumerated() {
            if let last = halver.finish() { add(last, level: level + 1) }
        }
    }

    private func add(_ row: UnsafePointer<UInt8>, level: Int) {
        guard level < halvers.count else { return filter(row) }
        if let half = halvers[level].add(row) { add(half, level: level + 1) }
    }

    private func filter(_ row: UnsafePointer<UInt8>) {
        let width = scaling.columns.halvedCount
        if width < columns.taps {
            padded.bytes.update(from: row, count: 4 * width)
            filterAcross(UnsafePointer(padded.bytes))
        } else {
            filterAcross(row)
        }
        rowCount += 1
        while writtenCount < scaling.rows.window.count, canWrite(writtenCount) {
            filterDown(writtenCount)
            writtenCount += 1
        }
    }

    private func filterAcross(_ row: UnsafePointer<UInt8>) {
        columns.firsts.withUnsafeBufferPointer { firsts in
            columns.weights.withUnsafeBufferPointer { weights in
                calotype_across(
                    row, ringRow(rowCount), firsts.baseAddress, weights.baseAddress, columns.taps, firsts.count)
            }
        }
    }

    private func canWrite(_ y: Int) -> Bool {
        rowCount >= min(Int(rows.firsts[y]) + rows.taps, scaling.rows.halvedCount)
    }

    private func filterDown(_ y: Int) {
        let first = Int(rows.firsts[y])
        withUnsafeTemporaryAllocation(of: UnsafePointer<Int16>?.self, capacity: rows.taps) { ringRows in
            for tap in 0..<rows.taps {
                // The weights of rows beyond the last are zero, so the last row may stand in for them.
                ringRows[tap] = UnsafePointer(ringRow(min(first + tap, rowCount - 1)))
            }
            rows.weights.withUnsafeBufferPointer { weights in
                calotype_down(
                    ringRows.baseAddress, result + y * stride, weights.baseAddress.map { $0 + y * rows.taps },
                    rows.taps, scaling.columns.window.count, hasAlpha ? 1 : 0)
            }
        }
    }

    private func ringRow(_ index: Int) -> UnsafeMutablePointer<Int16> {
        (ring.start + index % rows.taps * Self.ringRowBytes(scaling)).assumingMemoryBound(to: Int16.self)
    }
}
