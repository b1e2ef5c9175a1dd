import CSpng

/// The pixels of a bitmap, as the PNG encoder reads them.
struct BitmapRows {
    let width: Int
    private(set) var height: Int
    let hasAlpha: Bool
    private let pixels: UnsafeRawBufferPointer
    private let stride: Int
    /// The height of a band of rows, and the distance of two; equal where all rows are read.
    private var band = (height: 1, distance: 1)

    init(_ bitmap: Bitmap, _ pixels: UnsafeRawBufferPointer) {
        (width, height, hasAlpha) = (bitmap.width, bitmap.height, bitmap.hasAlpha)
        (self.pixels, stride) = (pixels, bitmap.stride)
    }

    /// The bits to set in a pixel of an opaque bitmap, whose alpha has no meaning.
    var opaqueMask: UInt32 { hasAlpha ? 0 : 0xFF00_0000 }

    func row(_ y: Int) -> UnsafeBufferPointer<UInt32> {
        let start = (y / band.height * band.distance + y % band.height) * stride
        return UnsafeRawBufferPointer(rebasing: pixels[start...].prefix(4 * width)).assumingMemoryBound(to: UInt32.self)
    }

    /// Returns bands of rows at equal distances, one below the other; all rows if the bands are most of them.
    func bands(_ count: Int, ofHeight bandHeight: Int) -> BitmapRows {
        guard height > 2 * count * bandHeight else { return self }
        var rows = self
        rows.height = count * bandHeight
        rows.band = (bandHeight, height / count)
        return rows
    }
}

/// The smallest of PNG's layouts that loses nothing: gray, a palette, or RGB, with alpha where the bitmap has it.
enum PNGLayout {
    case gray(hasAlpha: Bool)
    case palette(PNGPalette)
    case color(hasAlpha: Bool)

    init(_ rows: BitmapRows) {
        let isGray = (0..<rows.height).allSatisfy { rows.row($0).isGray }
        let samples = (isGray ? 1 : 3) + (rows.hasAlpha ? 1 : 0)
        self = isGray ? .gray(hasAlpha: rows.hasAlpha) : .color(hasAlpha: rows.hasAlpha)
        guard let palette = PNGPalette(rows) else { return }
        // Before compression. Eight bits of gray need no palette.
        let count = rows.width * rows.height
        let indexed: Int = 4 * palette.colors.count + count * palette.bitDepth / 8
        if indexed < count * samples { self = .palette(palette) }
    }

    var bitDepth: Int {
        if case .palette(let palette) = self { palette.bitDepth } else { 8 }
    }

    var colorType: spng_color_type {
        switch self {
        case .gray(let hasAlpha): hasAlpha ? SPNG_COLOR_TYPE_GRAYSCALE_ALPHA : SPNG_COLOR_TYPE_GRAYSCALE
        case .palette: SPNG_COLOR_TYPE_INDEXED
        case .color(let hasAlpha): hasAlpha ? SPNG_COLOR_TYPE_TRUECOLOR_ALPHA : SPNG_COLOR_TYPE_TRUECOLOR
        }
    }

    /// The number of bytes of a row of `width` pixels.
    func rowBytes(_ width: Int) -> Int {
        switch self {
        case .gray(let hasAlpha): width * (hasAlpha ? 2 : 1)
        case .palette(let palette): (width * palette.bitDepth + 7) / 8
        case .color(let hasAlpha): width * (hasAlpha ? 4 : 3)
        }
    }

    /// Writes a row in this layout.
    ///
    /// - Parameter straight: Memory for the row in straight alpha.
    func write(
        _ row: UnsafeBufferPointer<UInt32>, opaque: UInt32, straight: UnsafeMutableBufferPointer<UInt32>,
        to target: UnsafeMutableRawBufferPointer
    ) {
        switch self {
        case .palette(let palette): palette.write(row, opaque: opaque, to: target)
        case .gray(hasAlpha: false): for x in row.indices { target[x] = UInt8(truncatingIfNeeded: row[x]) }
        case .gray(hasAlpha: true):
            row.unpremultiply(into: straight)
            for x in row.indices {
                target[2 * x] = UInt8(truncatingIfNeeded: straight[x])
                target[2 * x + 1] = UInt8(truncatingIfNeeded: straight[x] >> 24)
            }
        case .color(hasAlpha: false): row.writeRGB(to: target)
        case .color(hasAlpha: true):
            row.unpremultiply(into: straight)
            straight.swapRedAndBlue()
            target.copyMemory(from: UnsafeRawBufferPointer(straight))
        }
    }
}

extension UnsafeBufferPointer<UInt32> {
    /// Whether red, green and blue are equal in each pixel.
    fileprivate var isGray: Bool {
        // Red and green on the places of green and blue: a photograph ends this at its first pixels.
        allSatisfy { ($0 ^ $0 >> 8) & 0xFFFF == 0 }
    }

    fileprivate func writeRGB(to row: UnsafeMutableRawBufferPointer) {
        for x in indices {
            row[3 * x] = UInt8(truncatingIfNeeded: self[x] >> 16)
            row[3 * x + 1] = UInt8(truncatingIfNeeded: self[x] >> 8)
            row[3 * x + 2] = UInt8(truncatingIfNeeded: self[x])
        }
    }
}
