/// A TGA: indices, gray or colors, plain or in run lengths.
struct TGAFile: RowFile {
    let size: PixelSize
    private(set) var hasAlpha: Bool
    let samplesPerPixel: Double
    let bitsPerSample: Int

    private let isUpward: Bool
    /// Whether the first pixel of a row is the rightmost one.
    private let isMirrored: Bool
    private var content: Content
    private var y = 0

    private enum Content {
        case rows(PackedRows)
        case runs(TGARuns)
    }

    /// - Parameter file: A file whose header `isTGA` has checked.
    init(_ file: ByteReader) throws(CodecError) {
        guard let header = TGAHeader(file) else { throw Self.cutShort }
        let pixels = try header.pixels(file)
        size = header.size
        hasAlpha = pixels.hasAlpha || header.hasTranslucentColors(file)
        (samplesPerPixel, bitsPerSample) = (header.samplesPerPixel, header.bitsPerSample)
        (isUpward, isMirrored) = (header.flags & 0x20 == 0, header.flags & 0x10 != 0)
        if header.isPacked {
            content = .runs(TGARuns(file, of: size, pixels, from: header.end))
        } else {
            content = .rows(PackedRows(file, of: size, pixels, from: header.end, isUpward: isUpward))
        }
    }

    mutating func begin() throws(CodecError) {
        switch content {
        case .rows(let rows):
            guard rows.end != nil else { throw Self.cutShort }
            guard rows.pixels.hasAlpha, rows.isClear else { return }
            // The program that wrote the file knew no alpha.
            content = .rows(rows.opaque)
        case .runs(var runs):
            let isClear = try runs.findRows()
            content = .runs(isClear ? runs.opaque : runs)
            guard isClear else { return }
        }
        hasAlpha = false
    }

    mutating func read(into row: UnsafeMutableBufferPointer<UInt32>) {
        switch content {
        case .rows(let rows): rows.read(y, into: row)
        case .runs(let runs): runs.read(isUpward ? size.height - 1 - y : y, into: row)
        }
        if isMirrored {
            var row = row
            row.reverse()
        }
        y += 1
    }

    static var cutShort: CodecError { CodecError(.damaged, "TGA is cut short") }
}
