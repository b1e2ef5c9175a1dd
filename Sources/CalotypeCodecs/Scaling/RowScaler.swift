import CResample

/// Scales an image row by row. If the image shrinks much, first halves its width, its height or both, once or several
/// times. Then filters each pair of rows horizontally into a ring buffer, and filters vertically as soon as the buffer
/// contains all rows for a row of the result.
///
/// Only a few rows are in memory at a time, regardless of the image's height.
final class RowScaler {
    private let scaling: ImageScaling
    private let channels: PixelChannels
    private let halvers: [RowHalver]
    private let columns: AxisWeights
    private let rows: AxisWeights

    /// Whether the rows have fewer pixels than the filter has weights for a pixel.
    private let isNarrow: Bool
    /// A copy of the upper row of a pair, until the lower one arrives. Padded with zeros if the rows are narrow.
    private let upper: WorkMemory
    private var holdsUpper = false
    /// A padded copy of the lower row if the rows are narrow.
    private let lower: WorkMemory

    private let ring: WorkMemory
    private let ringPairs: Int
    /// The number of pairs of halved rows in the ring buffer so far.
    private var pairCount = 0

    private let result: UnsafeMutablePointer<UInt8>
    private let stride: Int
    /// The number of finished rows of the result.
    private var writtenCount = 0

    /// - Parameters:
    ///   - result: The memory for the result. It must stay valid for the lifetime of the scaler.
    ///   - stride: The bytes from one row of the result to the next.
    init(
        _ scaling: ImageScaling, of channels: PixelChannels, into result: UnsafeMutablePointer<UInt8>, stride: Int
    ) throws(CodecError) {
        self.scaling = scaling
        self.channels = channels
        (self.result, self.stride) = (result, stride)
        halvers = try Self.halvers(scaling)
        columns = AxisWeights.shared(scaling.columns)
        rows = AxisWeights.shared(scaling.rows, inPairs: true)
        isNarrow = scaling.columns.halvedCount < columns.taps
        let rowBytes = 4 * max(scaling.columns.halvedCount, columns.taps)
        upper = try WorkMemory(bytes: rowBytes)
        lower = try WorkMemory(bytes: isNarrow ? rowBytes : 0)
        // Four rows make two pairs at once.
        ringPairs = rows.taps / 2 + 1
        ring = try WorkMemory(bytes: ringPairs * Self.pairBytes(scaling.columns.window.count, channels: channels.count))
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

    /// Returns the size of a pair of rows in the ring buffer: four bytes per channel, padded to a multiple of four pixels
    /// and by what the filter's loops write behind the last.
    static func pairBytes(_ width: Int, channels: Int) -> Int { 4 * channels * ((width + 3) & ~3) + 16 }

    /// Adds the next row of the image, from top to bottom.
    func add(_ row: UnsafePointer<UInt8>) { add(row, level: 0) }

    /// Adds the next rows, `stride` bytes apart. Quicker than one by one.
    func add(_ rows: UnsafePointer<UInt8>, count: Int, stride: Int) {
        var row = 0
        if halvers.isEmpty, !isNarrow, !holdsUpper {
            while row + 4 <= count {
                filterFour(rows + row * stride, stride: stride)
                row += 4
            }
            if row + 2 <= count {
                filter(rows + row * stride, rows + (row + 1) * stride)
                row += 2
            }
        }
        while row < count {
            add(rows + row * stride)
            row += 1
        }
    }

    /// Writes the remaining rows. Call this after adding the last row.
    func finish() {
        for (level, halver) in halvers.enumerated() {
            if let last = halver.finish() { add(last, level: level + 1) }
        }
        // No weight applies to the lower row.
        if holdsUpper { filter(upper.bytes, upper.bytes) }
    }

    private func add(_ row: UnsafePointer<UInt8>, level: Int) {
        guard level < halvers.count else { return filter(row) }
        if let half = halvers[level].add(row) { add(half, level: level + 1) }
    }

    private func filter(_ row: UnsafePointer<UInt8>) {
        let count = 4 * scaling.columns.halvedCount
        guard holdsUpper else {
            upper.bytes.update(from: row, count: count)
            holdsUpper = true
            return
        }
        holdsUpper = false
        if isNarrow { lower.bytes.update(from: row, count: count) }
        filter(upper.bytes, isNarrow ? UnsafePointer(lower.bytes) : row)
    }

    private func filter(_ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>) {
        columns.withPointers { firsts, weights in
            calotype_across(
                upper, lower, ringPair(pairCount), firsts, weights, columns.taps, columns.firsts.count, channels.count)
        }
        pairCount += 1
        writeRows()
    }

    private func filterFour(_ rows: UnsafePointer<UInt8>, stride: Int) {
        withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Int16>?.self, capacity: 2) { pairs in
            (pairs[0], pairs[1]) = (ringPair(pairCount), ringPair(pairCount + 1))
            columns.withPointers { firsts, weights in
                calotype_across_four(
                    rows, stride, pairs.baseAddress, firsts, weights, columns.taps, columns.firsts.count,
                    channels.count)
            }
        }
        // The second pair takes the place of one that rows of the result no longer need after the first.
        for _ in 0..<2 {
            pairCount += 1
            writeRows()
        }
    }

    private func writeRows() {
        while writtenCount < scaling.rows.window.count, canWrite(writtenCount) {
            filterDown(writtenCount)
            writtenCount += 1
        }
    }

    private func canWrite(_ y: Int) -> Bool {
        pairCount >= min((Int(rows.firsts[y]) + rows.taps) / 2, (scaling.rows.halvedCount + 1) / 2)
    }

    private func filterDown(_ y: Int) {
        let first = Int(rows.firsts[y]) / 2
        withUnsafeTemporaryAllocation(of: UnsafePointer<Int16>?.self, capacity: rows.taps / 2) { pairs in
            for index in 0..<rows.taps / 2 {
                // The weights of rows beyond the last are zero, so the last pair may stand in for them.
                pairs[index] = UnsafePointer(ringPair(min(first + index, pairCount - 1)))
            }
            rows.withPointers { _, weights in
                calotype_down(
                    pairs.baseAddress, result + y * stride, weights.map { $0 + y * rows.taps }, rows.taps,
                    scaling.columns.window.count, channels.kind)
            }
        }
    }

    private func ringPair(_ index: Int) -> UnsafeMutablePointer<Int16> {
        let bytes = Self.pairBytes(scaling.columns.window.count, channels: channels.count)
        return (ring.start + index % ringPairs * bytes).assumingMemoryBound(to: Int16.self)
    }
}

extension AxisWeights {
    fileprivate func withPointers(_ body: (UnsafePointer<Int32>?, UnsafePointer<Int16>?) -> Void) {
        firsts.withUnsafeBufferPointer { firsts in
            weights.withUnsafeBufferPointer { body(firsts.baseAddress, $0.baseAddress) }
        }
    }
}
