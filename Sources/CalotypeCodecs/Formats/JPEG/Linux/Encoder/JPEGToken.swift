/// A quantized coefficient: the number of zeros before it in the lowest 4 bits, and above them the coefficient.
///
/// A block is its DC coefficient, its AC coefficients but 0, and an end unless the last one has an index of 63.
enum JPEGToken {
    static let sixteenZeros: UInt16 = 15
    static let endOfBlock: UInt16 = 0

    @inline(__always)
    static func make(run: Int, _ level: Int16) -> UInt16 {
        UInt16(bitPattern: level) << 4 | UInt16(truncatingIfNeeded: run)
    }
}

/// The order of a block's coefficients.
enum Zigzag {
    /// The place of a coefficient in a transposed block, by its index.
    static let places: [UInt8] = [
        0, 8, 1, 2, 9, 16, 24, 17, 10, 3, 4, 11, 18, 25, 32, 40, 33, 26, 19, 12, 5, 6, 13, 20, 27, 34, 41, 48, 56, 49,
        42,
        35, 28, 21, 14, 7, 15, 22, 29, 36, 43, 50, 57, 58, 51, 44, 37, 30, 23, 31, 38, 45, 52, 59, 60, 53, 46, 39, 47,
        54,
        61, 62, 55, 63,
    ]
}
