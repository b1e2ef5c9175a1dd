import CResample
import CSpng

/// A reader of the rows of an image with 8 bits per sample that is not interlaced, in order, as premultiplied BGRA.
///
/// libspng reads the chunks around the pixels, not the pixels: from the inflated bytes to BGRA, a row never leaves the
/// processor's cache. The errors are libspng's.
struct PNGByteRows: ~Copyable {
    private let pixels: InflatedPixels
    private let layout: Layout
    private let width: Int
    /// The number of bytes of a pixel.
    private let unit: Int
    /// Two rows, each with its next filter behind it, and more bytes that the loops may change.
    private let memory: WorkMemory
    private var row: UnsafeMutablePointer<UInt8>
    private var above: UnsafeMutablePointer<UInt8>
    private var remaining: Int
    /// The filter of the next row, or `nil` before the first.
    private var filter: UInt8?

    private enum Layout {
        case gray(transparent: UInt8?)
        case color(transparent: UInt32?)
        case palette([UInt32])
        case grayAlpha, colorAlpha
    }

    /// Returns `nil` for an image in another form.
    static func reading(_ reader: borrowing SpngReader, _ header: spng_ihdr) throws(CodecError) -> PNGByteRows? {
        guard header.bit_depth == 8, header.interlace_method == 0 else { return nil }
        guard let layout = try layout(reader, header.colorType), let pixels = try reader.inflatedPixels() else {
            return nil
        }
        return try PNGByteRows(pixels, layout, header)
    }

    private init(_ pixels: InflatedPixels, _ layout: Layout, _ header: spng_ihdr) throws(CodecError) {
        (width, remaining, unit) = (header.size.width, header.size.height, Int(header.colorType.samples))
        let stride = (unit * width + 1 + 16 + 15) & ~15
        memory = try WorkMemory(bytes: 2 * stride)
        (self.layout, self.pixels, filter) = (layout, pixels, nil)
        (row, above) = (memory.bytes, memory.bytes + stride)
    }

    private static func layout(_ reader: borrowing SpngReader, _ type: PNGColorType) throws(CodecError) -> Layout? {
        switch Int(type.rawValue) {
        case Int(SPNG_COLOR_TYPE_GRAYSCALE.rawValue):
            // As libspng, which compares all 16 bits of a gray, and 8 of each color.
            return .gray(transparent: try reader.transparency().flatMap { UInt8(exactly: $0.gray) })
        case Int(SPNG_COLOR_TYPE_TRUECOLOR.rawValue):
            return .color(
                transparent: try reader.transparency().map {
                    0xFF00_0000 | UInt32($0.red & 0xFF) << 16 | UInt32($0.green & 0xFF) << 8 | UInt32($0.blue & 0xFF)
                })
        case Int(SPNG_COLOR_TYPE_INDEXED.rawValue): return .palette(try reader.premultipliedPalette())
        case Int(SPNG_COLOR_TYPE_GRAYSCALE_ALPHA.rawValue): return .grayAlpha
        case Int(SPNG_COLOR_TYPE_TRUECOLOR_ALPHA.rawValue): return .colorAlpha
        default: return nil
        }
    }

    /// Reads the next row.
    mutating func read(into result: UnsafeMutableBufferPointer<UInt32>) throws(CodecError) {
        if filter == nil { filter = try firstFilter() }
        let (count, isLast) = (unit * width, remaining == 1)
        // As libspng, with the filter of the next row: a row is damaged if that filter is.
        try fill(row, isLast ? count : count + 1)
        if isLast, let failure = pixels.failureAfterLastRow() { throw SpngReader.failure(failure.rawValue) }
        let next = isLast ? 0 : try Self.checked(row[count])
        calotype_unfilter(Int32(filter ?? 0), row, above, count, unit)
        convert(to: result)
        (row, above, filter, remaining) = (above, row, next, remaining - 1)
    }

    private func firstFilter() throws(CodecError) -> UInt8 {
        try fill(row, 1)
        return try Self.checked(row[0])
    }

    private func fill(_ target: UnsafeMutablePointer<UInt8>, _ count: Int) throws(CodecError) {
        guard pixels.read(into: UnsafeMutableRawBufferPointer(start: target, count: count)) < count else { return }
        throw SpngReader.failure(pixels.failure?.rawValue ?? SPNG_EIDAT_STREAM.rawValue)
    }

    private static func checked(_ filter: UInt8) throws(CodecError) -> UInt8 {
        guard filter <= 4 else { throw SpngReader.failure(SPNG_EFILTER.rawValue) }
        return filter
    }

    private func convert(to result: UnsafeMutableBufferPointer<UInt32>) {
        guard let target = result.baseAddress, result.count == width else { return }
        switch layout {
        case .gray(let transparent):
            calotype_gray_to_bgra(row, target, width)
            if let transparent { clear(0xFF00_0000 | UInt32(transparent) * 0x01_0101, in: result) }
        case .color(let transparent):
            calotype_rgb_to_bgra(row, target, width)
            if let transparent { clear(transparent, in: result) }
        case .palette(let colors): calotype_indices_to_bgra(row, colors, target, width)
        case .grayAlpha:
            calotype_gray_alpha_to_rgba(row, target, width)
            result.premultiplyRGBA()
        case .colorAlpha:
            let isOpaque = calotype_rgba_to_bgra(row, target, width) != 0
            if !isOpaque { result.premultiply() }
        }
    }

    private func clear(_ color: UInt32, in result: UnsafeMutableBufferPointer<UInt32>) {
        for x in result.indices where result[x] == color { result[x] = 0 }
    }
}
