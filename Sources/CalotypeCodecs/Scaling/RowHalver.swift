import CResample

/// Averages pairs of incoming rows, of pixels in a row, or both. A last row or pixel without a partner stays unchanged.
final class RowHalver {
    private let width: Int
    private let halvesColumns: Bool
    private let halvesRows: Bool
    /// A copy of the upper row of a pair, until the lower one arrives.
    private let upper: WorkMemory
    private let result: WorkMemory
    private var holdsUpper = false

    /// - Parameter width: The number of pixels in incoming rows.
    init(width: Int, columns: Bool, rows: Bool) throws(CodecError) {
        self.width = width
        (halvesColumns, halvesRows) = (columns, rows)
        upper = try WorkMemory(bytes: rows ? 4 * width : 0)
        result = try WorkMemory(bytes: 4 * width)
    }

    /// Adds the next row.
    ///
    /// - Returns: A row of the result, valid until the next call, or `nil` if this is the upper row of a pair.
    func add(_ row: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        guard halvesRows else { return average(row, row) }
        if holdsUpper { return finish(with: row) }
        upper.bytes.update(from: row, count: 4 * width)
        holdsUpper = true
        return nil
    }

    /// Returns the last row of the result if an upper row without a lower one remains, otherwise `nil`.
    func finish() -> UnsafePointer<UInt8>? { holdsUpper ? finish(with: UnsafePointer(upper.bytes)) : nil }

    private func finish(with lower: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        holdsUpper = false
        return average(UnsafePointer(upper.bytes), lower)
    }

    private func average(_ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        if halvesColumns {
            calotype_halve(upper, lower, result.bytes, width)
        } else {
            calotype_average(upper, lower, result.bytes, 4 * width)
        }
        return UnsafePointer(result.bytes)
    }
}
