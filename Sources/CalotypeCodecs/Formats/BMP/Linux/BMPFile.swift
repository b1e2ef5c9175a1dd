/// A BMP, of any depth from 1 to 32 bits, with masks or run lengths.
struct BMPFile: RowFile {
    let size: PixelSize
    private(set) var hasAlpha: Bool
    let samplesPerPixel: Double
    let bitsPerSample: Int

    private let isUpward: Bool
    private var content: Content
    private var y = 0

    private enum Content {
        case rows(PackedRows)
        case runs(BMPRuns)
    }

    init(_ file: ByteReader) throws(CodecError) {
        let header = try BMPHeader(file, at: 14, of: RowFileKind.bmp.format)
        guard let named = file.uint32(at: 10, bigEndian: false) else { throw Self.cutShort }
        // Some programs leave the offset of the pixels 0.
        let start = named == 0 ? header.end + header.colorCount * header.colorBytes : named
        // The palette ends where the pixels begin, whatever the header announces.
        let count = min(header.colorCount, (start - header.end) / header.colorBytes)
        guard start >= header.end, count > 0 || header.depth > 8 else {
            throw CodecError(.damaged, "BMP is damaged: its pixels begin in its header or its palette")
        }
        size = header.size
        (hasAlpha, samplesPerPixel, bitsPerSample) = (header.hasAlpha, header.samplesPerPixel, header.bitsPerSample)
        isUpward = !header.isTopDown
        let colors = header.depth > 8 ? [] : header.colors(file, count: count)
        if case .runs = header.coding {
            content = .runs(BMPRuns(file, of: size, bits: header.depth, colors, from: start))
        } else {
            content = .rows(
                PackedRows(
                    file, of: size, header.pixels(colors), from: start, alignment: 4, isUpward: !header.isTopDown))
        }
    }

    mutating func begin() throws(CodecError) {
        switch content {
        case .rows(let rows):
            guard rows.end != nil else { throw Self.cutShort }
            // As browsers, which show what programs that know no alpha write.
            guard hasAlpha, rows.isClear else { return }
            hasAlpha = false
            content = .rows(rows.opaque)
        case .runs(var runs):
            try runs.findRows()
            content = .runs(runs)
        }
    }

    mutating func read(into row: UnsafeMutableBufferPointer<UInt32>) {
        switch content {
        case .rows(let rows): rows.read(y, into: row)
        case .runs(let runs): runs.read(isUpward ? size.height - 1 - y : y, into: row)
        }
        y += 1
    }

    static var cutShort: CodecError { CodecError(.damaged, "BMP is cut short") }
}
