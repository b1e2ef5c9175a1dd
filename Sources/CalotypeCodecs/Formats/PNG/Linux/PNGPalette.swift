/// The colors of a bitmap that has at most 256, in the order of a PNG's palette.
struct PNGPalette {
    static let limit = 256

    /// The colors, premultiplied. Translucent ones come first, so that tRNS has an entry for these alone.
    let colors: [UInt32]
    private let table: ColorTable
    private let places: [UInt8]

    /// Counts the colors. Ends at the 257th, so that a photograph costs the time of a few rows.
    ///
    /// - Returns: `nil` for more than 256 colors.
    init?(_ rows: BitmapRows) {
        var table = ColorTable()
        for y in 0..<rows.height {
            guard table.insert(rows.row(y), opaque: rows.opaqueMask) else { return nil }
        }
        let order = table.colors.indices.sorted {
            let (left, right) = (table.colors[$0] >> 24 == 255, table.colors[$1] >> 24 == 255)
            return left == right ? $0 < $1 : right
        }
        var places = [UInt8](repeating: 0, count: order.count)
        for (place, index) in order.enumerated() { places[index] = UInt8(place) }
        colors = order.map { table.colors[$0] }
        (self.table, self.places) = (table, places)
    }

    /// The colors in straight alpha.
    var straightColors: [UInt32] {
        var straight = colors
        straight.withUnsafeMutableBufferPointer { UnsafeBufferPointer($0).unpremultiply(into: $0) }
        return straight
    }

    /// The number of bits of an index: 1, 2, 4 or 8.
    var bitDepth: Int {
        switch colors.count {
        case ...2: 1
        case ...4: 2
        case ...16: 4
        default: 8
        }
    }

    /// Writes a row of indices, the first pixel in the highest bits of a byte (PNG, section 7.2).
    func write(_ row: UnsafeBufferPointer<UInt32>, opaque: UInt32, to target: UnsafeMutableRawBufferPointer) {
        let depth = bitDepth
        let perByte = 8 / depth
        var last: (color: UInt32, place: UInt8)?
        for start in stride(from: 0, to: row.count, by: perByte) {
            var byte: UInt8 = 0
            for x in start..<start + perByte {
                byte <<= depth
                guard x < row.count else { continue }
                let color = row[x] | opaque
                if last?.color != color { last = (color, places[table.index(of: color)]) }
                byte |= last?.place ?? 0
            }
            target[start / perByte] = byte
        }
    }
}

/// A hash table of up to 256 colors, with a place for each in the order of their insertion.
private struct ColorTable {
    private(set) var colors: [UInt32] = []
    /// The number of a color plus 1; 0 for a free slot.
    private var slots = [UInt16](repeating: 0, count: 1024)

    init() { colors.reserveCapacity(PNGPalette.limit) }

    /// Inserts the colors of a row. Returns `false` if there are more than 256.
    mutating func insert(_ row: UnsafeBufferPointer<UInt32>, opaque: UInt32) -> Bool {
        var last: UInt32?
        for pixel in row where pixel | opaque != last {
            let color = pixel | opaque
            last = color
            let slot = slot(of: color)
            guard slots[slot] == 0 else { continue }
            guard colors.count < PNGPalette.limit else { return false }
            colors.append(color)
            slots[slot] = UInt16(colors.count)
        }
        return true
    }

    /// Returns the number of a color that was inserted.
    func index(of color: UInt32) -> Int { Int(slots[slot(of: color)]) - 1 }

    /// Returns the slot of a color, or the free one for it. Most slots stay free, so a search ends soon.
    private func slot(of color: UInt32) -> Int {
        var slot = Int(truncatingIfNeeded: (color &* 0x9E37_79B1) >> 22)
        while slots[slot] != 0, colors[Int(slots[slot]) - 1] != color { slot = (slot + 1) & 1023 }
        return slot
    }
}
