/// An icon's image that is no PNG: a BMP's header with twice the height, colors, rows from the bottom, and the mask of
/// transparent pixels. The pixels are those that Chromium shows.
struct ICOFile: RowFile {
    let size: PixelSize
    let hasAlpha = true
    let samplesPerPixel: Double
    let bitsPerSample: Int

    /// Whether the image is within the range that the directory has for it, and that range within the file.
    private let isWhole: Bool
    private var pixels: PackedRows
    /// The pixels' mask: a bit that is set clears its pixel.
    private let mask: PackedRows
    private var isMasked = true
    private var y = 0

    init(_ file: ByteReader) throws(CodecError) {
        let format = RowFileKind.ico.format
        guard let icon = ICOImage(file) else { throw CodecError(.damaged, "ICO is damaged: no image in its directory") }
        let content = file.slice(icon.content)
        let header = try BMPHeader(content, at: 0, of: format)
        if case .runs = header.coding { throw CodecError(.unsupported, "ICO with run lengths is not supported") }
        guard !header.isTopDown, header.colorBytes == 4 else {
            throw CodecError(.damaged, "ICO is damaged: its bitmap has a header that no icon has")
        }
        size = PixelSize(width: header.size.width, height: header.size.height / 2)
        (samplesPerPixel, bitsPerSample) = (header.samplesPerPixel, header.bitsPerSample)
        let start = header.end + header.colorCount * header.colorBytes
        let colors = header.depth > 8 ? [] : header.colors(content, count: header.colorCount)
        let packed = header.depth == 32 && !header.hasAlpha ? header.pixels(colors).withAlpha : header.pixels(colors)
        pixels = PackedRows(content, of: size, packed, from: start, alignment: 4, isUpward: true)
        let bits = PackedPixels.indices(bits: 1, [UInt32](repeating: 0, count: 256))
        mask = PackedRows(content, of: size, bits, from: pixels.end ?? content.count, alignment: 4, isUpward: true)
        // Alpha needs no mask, and some programs leave it out then.
        isWhole =
            icon.content.upperBound <= file.count && pixels.end != nil && (header.depth == 32 || mask.end != nil)
    }

    mutating func begin() throws(CodecError) {
        guard isWhole else { throw CodecError(.damaged, "ICO is cut short") }
        // The mask counts if there is no alpha, or all of it is 0.
        isMasked = !pixels.pixels.hasAlpha || pixels.isClear
        if isMasked { pixels = pixels.opaque }
    }

    mutating func read(into row: UnsafeMutableBufferPointer<UInt32>) {
        pixels.read(y, into: row)
        if isMasked, let bits = mask.bytes(of: y) {
            for x in row.indices where bits[x / 8] << (x % 8) & 0x80 != 0 { row[x] = 0 }
        }
        y += 1
    }
}
