/// The run lengths of a BMP: runs of a color, literal pixels, and jumps over pixels and rows.
struct BMPRuns {
    private let file: ByteReader
    private let size: PixelSize
    /// The bits of an index: 4 or 8.
    private let bits: Int
    private let colors: [UInt32]
    private let start: Int
    /// The places of the rows, in the order of the file: usually from the bottom.
    private var places: [RowPlace] = []

    init(_ file: ByteReader, of size: PixelSize, bits: Int, _ colors: [UInt32], from start: Int) {
        (self.file, self.size, self.bits, self.colors, self.start) = (file, size, bits, colors, start)
    }

    private enum Run {
        case color(UInt8, count: Int)
        case literals(UnsafeRawBufferPointer, count: Int)
        case jump(columns: Int, rows: Int)
        case endOfRow, end
    }

    /// Returns the run at the offset, and moves the offset behind it, or returns `nil` if the file ends before.
    private func next(_ offset: inout Int) -> Run? {
        guard let count = file.uint8(at: offset), let value = file.uint8(at: offset + 1) else { return nil }
        offset += 2
        switch (count, value) {
        case (1..., _): return .color(UInt8(value), count: count)
        case (_, 0): return .endOfRow
        case (_, 1): return .end
        case (_, 2):
            guard let columns = file.uint8(at: offset), let rows = file.uint8(at: offset + 1) else { return nil }
            offset += 2
            return .jump(columns: columns, rows: rows)
        default:
            guard let pixels = file.bytes(at: offset, count: (value * bits + 7) / 8) else { return nil }
            // Padded to an even number of bytes.
            offset += (pixels.count + 1) & ~1
            return .literals(pixels, count: value)
        }
    }
}

extension BMPRuns {
    /// Finds where the rows begin.
    ///
    /// - Throws: `damaged` if the runs end before the last row.
    mutating func findRows() throws(CodecError) {
        places = [RowPlace](repeating: RowPlace(), count: size.height)
        var (offset, x, y) = (start, 0, 0)
        func moveDown(to place: (x: Int, y: Int), _ offset: Int) {
            (x, y) = place
            if y < size.height { places[y] = RowPlace(offset: offset, skipped: x) }
        }
        moveDown(to: (0, 0), start)
        while y < size.height {
            guard let run = next(&offset) else {
                // The end may lack its mark.
                guard y == size.height - 1, x >= size.width else { throw BMPFile.cutShort }
                return
            }
            switch run {
            case .color(_, let count), .literals(_, let count): x += count
            case .end:
                guard y == size.height - 1 else {
                    throw CodecError(.damaged, "BMP is damaged: its run lengths end before the last row")
                }
                return
            case .endOfRow: moveDown(to: (0, y + 1), offset)
            case .jump(let columns, let rows):
                if rows > 0 { moveDown(to: (x + columns, y + rows), offset) } else { x += columns }
            }
        }
    }

    /// Unpacks a row, counted in the order of the file. Pixels that the runs skip are black, as in browsers.
    func read(_ y: Int, into row: UnsafeMutableBufferPointer<UInt32>) {
        row.update(repeating: 0xFF00_0000)
        guard var offset = places[y].offset else { return }
        var x = places[y].skipped
        while let run = next(&offset) {
            switch run {
            case .endOfRow, .end: return
            case .jump(let columns, let rows):
                guard rows == 0 else { return }
                x += columns
            case .color(let value, let count):
                // Of 4 bits, two colors take turns.
                let (even, odd) = bits == 8 ? (value, value) : (value >> 4, value & 15)
                for index in 0..<max(0, min(count, row.count - x)) {
                    row[x + index] = colors[Int(index % 2 == 0 ? even : odd)]
                }
                x += count
            case .literals(let pixels, let count):
                for index in 0..<max(0, min(count, row.count - x)) {
                    let value = bits == 8 ? pixels[index] : pixels[index / 2] >> (index % 2 == 0 ? 4 : 0) & 15
                    row[x + index] = colors[Int(value)]
                }
                x += count
            }
        }
    }
}
