/// A part of the coefficients of some components, as it is coded.
struct JPEGScan {
    let components: [Int]
    /// The indices of the first and the last coefficient in zigzag order.
    let first: Int, last: Int

    static let whole = [JPEGScan(components: [0, 1, 2], first: 0, last: 63)]
    /// All of an image that has luma alone.
    static let gray = [JPEGScan(components: [0], first: 0, last: 63)]
    /// Averages, then most of luma, then all colors, then the details.
    static let progressive = [
        JPEGScan(components: [0, 1, 2], first: 0, last: 0), JPEGScan(components: [0], first: 1, last: 5),
        JPEGScan(components: [1], first: 1, last: 63), JPEGScan(components: [2], first: 1, last: 63),
        JPEGScan(components: [0], first: 6, last: 63),
    ]
}

/// What takes the symbols of a scan: a histogram, or the writer of their codes.
protocol JPEGSymbols: ~Copyable {
    /// - Parameters:
    ///   - table: 0 and 1 for DC and AC coefficients of luma, 2 and 3 for those of chroma.
    ///   - bits: The `count` bits that follow the symbol's code, at most 14.
    mutating func add(_ symbol: Int, table: Int, bits: UInt32, count: Int)
}

/// Turns the tokens of a scan into symbols.
struct JPEGScanCoder {
    private let scan: JPEGScan
    private var predictors: [Int32] = [0, 0, 0]
    /// The blocks that end, whose end is not coded yet.
    private var ended = 0

    init(_ scan: JPEGScan) { self.scan = scan }

    mutating func code(_ blocks: borrowing JPEGBlocks, to symbols: inout some JPEGSymbols & ~Copyable) {
        if scan.first > 0 {
            let index = scan.components[0], component = blocks.layout.components[index]
            for y in 0..<component.rows {
                guard var token = blocks.row(y, of: index) else { continue }
                for _ in 0..<component.columns { codeBand(&token, index == 0 ? 1 : 3, to: &symbols) }
            }
            end(scan.components[0] == 0 ? 1 : 3, to: &symbols)
        } else {
            for row in 0..<blocks.layout.rows { codeMCUs(blocks, row, to: &symbols) }
        }
    }

    /// Codes a row of MCUs. A block without pixels repeats the average of the one before it.
    private mutating func codeMCUs(
        _ blocks: borrowing JPEGBlocks, _ row: Int, to symbols: inout some JPEGSymbols & ~Copyable
    ) {
        let layout = blocks.layout, luma = layout.components[0], factor = luma.factor
        guard layout.components.count > 1 else {
            guard var block = blocks.row(row, of: 0) else { return }
            for _ in 0..<layout.columns { codeBlock(&block, 0, to: &symbols) }
            return
        }
        // There is a row of blocks with pixels in each row of MCUs.
        guard var upper = blocks.row(row * factor, of: 0), var cb = blocks.row(row, of: 1),
            var cr = blocks.row(row, of: 2)
        else { return }
        var lower = factor == 2 ? blocks.row(row * factor + 1, of: 0) : nil
        for column in 0..<layout.columns {
            codeBlock(&upper, 0, to: &symbols)
            if factor == 2 {
                let isInside = 2 * column + 1 < luma.columns
                if isInside { codeBlock(&upper, 0, to: &symbols) } else { repeatBlock(to: &symbols) }
                if var token = lower {
                    codeBlock(&token, 0, to: &symbols)
                    if isInside { codeBlock(&token, 0, to: &symbols) } else { repeatBlock(to: &symbols) }
                    lower = token
                } else {
                    repeatBlock(to: &symbols)
                    repeatBlock(to: &symbols)
                }
            }
            codeBlock(&cb, 1, to: &symbols)
            codeBlock(&cr, 2, to: &symbols)
        }
    }

    /// Codes a block of luma that has no pixels.
    private mutating func repeatBlock(to symbols: inout some JPEGSymbols & ~Copyable) {
        symbols.add(0, table: 0, bits: 0, count: 0)
        if scan.last > 0 { symbols.add(0, table: 1, bits: 0, count: 0) }
    }

    @inline(__always)
    private mutating func codeBlock(
        _ token: inout UnsafePointer<UInt16>, _ component: Int, to symbols: inout some JPEGSymbols & ~Copyable
    ) {
        let table = component == 0 ? 0 : 2
        let average = Int32(Int16(bitPattern: token[0]) >> 4)
        let (count, bits) = (average &- predictors[component]).magnitudeBits
        predictors[component] = average
        symbols.add(count, table: table, bits: bits, count: count)
        token += 1
        var index = 0
        while index < 63 {
            let value = token[0]
            token += 1
            if value == JPEGToken.endOfBlock {
                if scan.last > 0 { symbols.add(0, table: table + 1, bits: 0, count: 0) }
                return
            }
            let run = Int(value & 15)
            index += run + 1
            if scan.last > 0 {
                let (count, bits) = Int32(Int16(bitPattern: value) >> 4).magnitudeBits
                symbols.add(run << 4 | count, table: table + 1, bits: bits, count: count)
            }
        }
    }

    /// Codes a block's coefficients that are in the scan.
    private mutating func codeBand(
        _ token: inout UnsafePointer<UInt16>, _ table: Int, to symbols: inout some JPEGSymbols & ~Copyable
    ) {
        token += 1
        var (index, last) = (0, scan.first - 1)
        while index < 63 {
            let value = token[0]
            token += 1
            if value == JPEGToken.endOfBlock { break }
            index += Int(value & 15) + 1
            if value == JPEGToken.sixteenZeros || index < scan.first || index > scan.last { continue }
            if ended > 0 { end(table, to: &symbols) }
            var run = index - last - 1
            while run > 15 {
                symbols.add(0xF0, table: table, bits: 0, count: 0)
                run -= 16
            }
            let (count, bits) = Int32(Int16(bitPattern: value) >> 4).magnitudeBits
            symbols.add(run << 4 | count, table: table, bits: bits, count: count)
            last = index
        }
        if last < scan.last {
            ended += 1
            if ended == 0x7FFF { end(table, to: &symbols) }
        }
    }

    /// Codes that the last blocks have ended.
    private mutating func end(_ table: Int, to symbols: inout some JPEGSymbols & ~Copyable) {
        guard ended > 0 else { return }
        let count = Int.bitWidth - 1 - ended.leadingZeroBitCount
        symbols.add(count << 4, table: table, bits: UInt32(ended - 1 << count), count: count)
        ended = 0
    }
}

extension Int32 {
    /// The number of bits of the magnitude, and the bits that JPEG codes the number as (ITU-T T.81, F.1.2.1).
    @inline(__always)
    fileprivate var magnitudeBits: (count: Int, bits: UInt32) {
        let sign = self >> 31, magnitude = (self ^ sign) &- sign
        let count = Int32.bitWidth - magnitude.leadingZeroBitCount
        return (count, UInt32(bitPattern: self &+ sign) & (1 &<< UInt32(truncatingIfNeeded: count) &- 1))
    }
}

/// How often each symbol of a scan occurs.
struct SymbolCounts: JPEGSymbols, ~Copyable {
    private let memory: WorkMemory
    private let counts: UnsafeMutablePointer<UInt32>

    init() throws(CodecError) {
        memory = try WorkMemory(bytes: 4 * 256 * 4)
        counts = memory.start.assumingMemoryBound(to: UInt32.self)
    }

    @inline(__always)
    mutating func add(_ symbol: Int, table: Int, bits: UInt32, count: Int) { counts[table << 8 | symbol] &+= 1 }

    /// Returns the optimal code of a table's symbols, or `nil` if there are none.
    func code(_ table: Int) -> HuffmanCode? {
        HuffmanCode(UnsafeBufferPointer(start: counts + table << 8, count: 256))
    }
}
