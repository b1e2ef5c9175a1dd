import CResample

/// Averages pairs of rows, of pixels in a row, or both, as rows come in. What has no partner at the end stands alone.
final class RowHalver {
    private let width: Int
    private let halvesColumns: Bool
    private let halvesRows: Bool
    /// A copy of the upper row of a pair, until the lower one is there.
    private let upper: WorkMemory
    private let result: WorkMemory
    private var holdsUpper = false

    /// - Parameter width: pixels of the rows that come in.
    init(width: Int, columns: Bool, rows: Bool) throws(CodecError) {
        self.width = width
        (halvesColumns, halvesRows) = (columns, rows)
        upper = try WorkMemory(bytes: rows ? 4 * width : 0)
        result = try WorkMemory(bytes: 4 * width)
    }

    /// Takes the next row in.
    ///
    /// - Returns: a row of the result, which stays as it is until the next call. Nil: more is needed for one.
    func add(_ row: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        guard halvesRows else { return average(row, row) }
        if holdsUpper { return finish(with: row) }
        upper.bytes.update(from: row, count: 4 * width)
        holdsUpper = true
        return nil
    }

    /// The last row, where it has no partner.
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
