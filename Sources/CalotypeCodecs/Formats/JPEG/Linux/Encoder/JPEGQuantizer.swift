import CResample

/// Transforms blocks and divides their coefficients by the steps of tables, with a dead zone: a coefficient of up to 0.6 steps
/// becomes 0. The two slowest frequencies have none, or skies would fall into squares.
struct JPEGQuantizer: ~Copyable {
    private let memory: WorkMemory
    /// For each table: what rounds, and 2^20 / (8 × step).
    private let offsets: UnsafeMutablePointer<Int32>, factors: UnsafeMutablePointer<Int32>
    /// `Zigzag.places`, and its inverse.
    private let places: UnsafeMutablePointer<UInt8>, indices: UnsafeMutablePointer<UInt8>
    /// For each block of a row: its levels, and bits for those that are not 0.
    private let levels: UnsafeMutablePointer<Int16>, masks: UnsafeMutablePointer<UInt64>

    /// - Parameters:
    ///   - tables: At most three tables of steps in zigzag order.
    ///   - columns: The maximum number of blocks in a row.
    init(_ tables: [[UInt8]], columns: Int) throws(CodecError) {
        memory = try WorkMemory(bytes: 64 * (3 * (4 + 4) + 2) + columns * (64 * 2 + 8))
        offsets = memory.start.assumingMemoryBound(to: Int32.self)
        factors = offsets + 64 * 3
        places = memory.bytes + 64 * 24
        indices = memory.bytes + 64 * 25
        levels = (memory.start + 64 * 26).assumingMemoryBound(to: Int16.self)
        masks = (memory.start + 64 * (26 + 2 * columns)).assumingMemoryBound(to: UInt64.self)
        for (number, table) in tables.enumerated() {
            for (index, step) in table.enumerated() {
                let place = Int(Zigzag.places[index]), divisor = 8 * Int32(step)
                offsets[64 * number + place] = index < 3 ? divisor / 2 : divisor * 2 / 5
                factors[64 * number + place] = (1 << 20 + divisor - 1) / divisor
                (places[index], indices[place]) = (UInt8(place), UInt8(index))
            }
        }
    }

    /// Writes a row of blocks as tokens, and returns their end.
    func write(
        _ samples: UnsafePointer<Int16>, _ component: JPEGLayout.Component, to tokens: UnsafeMutablePointer<UInt16>
    ) -> UnsafeMutablePointer<UInt16> {
        calotype_jpeg_blocks(
            samples, component.stride, component.columns, offsets + 64 * component.table,
            factors + 64 * component.table,
            levels, UnsafeMutableRawPointer(masks).assumingMemoryBound(to: UInt8.self))
        var token = tokens
        for block in 0..<component.columns { token = write(levels + 64 * block, masks[block].littleEndian, to: token) }
        return token
    }

    @inline(__always)
    private func write(
        _ levels: UnsafePointer<Int16>, _ mask: UInt64, to tokens: UnsafeMutablePointer<UInt16>
    ) -> UnsafeMutablePointer<UInt16> {
        // From the order of a transposed block to that of the tokens, without the DC coefficient.
        var (unordered, rest) = (mask & ~1, UInt64(0))
        while unordered != 0 {
            rest |= 1 &<< UInt64(indices[unordered.trailingZeroBitCount])
            unordered &= unordered &- 1
        }
        var token = tokens
        token[0] = JPEGToken.make(run: 0, levels[0])
        token += 1
        var last = 0
        while rest != 0 {
            let index = rest.trailingZeroBitCount
            rest &= rest &- 1
            var run = index &- last &- 1
            while run >= 16 {
                token[0] = JPEGToken.sixteenZeros
                token += 1
                run &-= 16
            }
            token[0] = JPEGToken.make(run: run, levels[Int(places[index])])
            token += 1
            last = index
        }
        if last < 63 {
            token[0] = JPEGToken.endOfBlock
            token += 1
        }
        return token
    }
}
