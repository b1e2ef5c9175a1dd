/// The header of a TGA, the text behind it, and its palette.
struct TGAHeader {
    let size: PixelSize
    /// The bits of alpha (0 to 3), and the corner of the first pixel (4 and 5).
    let flags: Int
    /// The offset of the pixels.
    let end: Int
    /// Whether the pixels are run lengths.
    let isPacked: Bool
    /// The bits of a pixel.
    private let depth: Int
    private let kind: Kind
    private let palette: (start: Int, first: Int, count: Int, depth: Int)

    private enum Kind {
        case indices, colors, gray
    }

    /// - Parameter file: A file whose header `isTGA` has checked.
    /// - Returns: `nil` if the file ends before its pixels.
    init?(_ file: ByteReader) {
        guard let text = file.uint8(at: 0), let number = file.uint8(at: 2),
            let first = file.uint16(at: 3, bigEndian: false), let count = file.uint16(at: 5, bigEndian: false),
            let colorDepth = file.uint8(at: 7), let width = file.uint16(at: 12, bigEndian: false),
            let height = file.uint16(at: 14, bigEndian: false), let depth = file.uint8(at: 16),
            let flags = file.uint8(at: 17)
        else { return nil }
        kind = number & 3 == 1 ? .indices : number & 3 == 2 ? .colors : .gray
        isPacked = number & 8 != 0
        palette = (18 + text, first, count, colorDepth)
        end = 18 + text + count * ((colorDepth + 7) / 8)
        guard end <= file.count else { return nil }
        (size, self.depth, self.flags) = (PixelSize(width: width, height: height), depth, flags)
    }

    var samplesPerPixel: Double {
        switch kind {
        case .indices: 1
        case .gray: depth == 16 ? 2 : 1
        case .colors: depth == 32 || depth == 16 && flags & 15 > 0 ? 4 : 3
        }
    }

    var bitsPerSample: Int {
        switch kind {
        case .indices: depth
        case .gray: 8
        case .colors: depth <= 16 ? 5 : 8
        }
    }

    /// Returns the form of the pixels. As other programs, takes a fourth byte as alpha whatever the flags are, and a bit only
    /// if the flags announce it.
    func pixels(_ file: ByteReader) throws(CodecError) -> PackedPixels {
        switch kind {
        case .indices:
            let colors = try colors(file)
            return depth == 8 ? .indices(bits: 8, colors) : .wideIndices(colors)
        case .gray: return depth == 8 ? .gray : .grayAlpha
        case .colors: return try colors(of: depth, hasBitOfAlpha: flags & 15 > 0)
        }
    }

    /// Returns the form of colors in pixels or in the palette.
    private func colors(of depth: Int, hasBitOfAlpha: Bool = false) throws(CodecError) -> PackedPixels {
        switch depth {
        case 24: return .bgr
        case 32: return .bgra
        default:
            let alpha: UInt32 = depth == 16 && hasBitOfAlpha ? 0x8000 : 0
            guard let masks = BitMasks(red: 0x7C00, green: 0x3E0, blue: 0x1F, alpha: alpha, bytes: 2) else {
                throw CodecError(.unsupported, "TGA with \(depth) bits a pixel is not supported")
            }
            return .masks(masks)
        }
    }

    /// Whether colors of the palette have alpha, which counts unless it is 0 in all of them.
    func hasTranslucentColors(_ file: ByteReader) -> Bool {
        guard kind == .indices, palette.depth == 32, let bytes = paletteBytes(file) else { return false }
        return !PackedPixels.bgra.isClear(bytes)
    }

    private func paletteBytes(_ file: ByteReader) -> UnsafeRawBufferPointer? {
        file.bytes(at: palette.start, count: end - palette.start)
    }

    /// Returns the premultiplied colors of all indices, black where the palette has none.
    private func colors(_ file: ByteReader) throws(CodecError) -> [UInt32] {
        var form = try colors(of: palette.depth)
        if !hasTranslucentColors(file) { form = form.opaque }
        var colors = [UInt32](repeating: 0xFF00_0000, count: 1 << depth)
        guard let bytes = paletteBytes(file), palette.first < colors.count else { return colors }
        colors.withUnsafeMutableBufferPointer { colors in
            let target = UnsafeMutableBufferPointer(rebasing: colors.dropFirst(palette.first).prefix(palette.count))
            form.unpack(bytes, into: target)
        }
        return colors
    }
}
