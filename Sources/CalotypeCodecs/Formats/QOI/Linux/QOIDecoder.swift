package import Foundation

/// A decoder of QOI, the "Quite OK Image Format": RGB and RGBA, sRGB or linear. Scales row by row while reading.
package struct QOIDecoder: BriefDecoder {
    package let mediaTypes = ["image/qoi"]

    package init() {}

    package func header(of data: Data) throws(CodecError) -> ImageHeader? {
        try data.reading { (bytes) throws(CodecError) in
            guard let stream = try QOIStream(bytes) else { return nil }
            return ImageHeader(
                format: .qoi, width: stream.size.width, height: stream.size.height, hasAlpha: stream.hasAlpha,
                samplesPerPixel: stream.hasAlpha ? 4 : 3)
        }
    }

    package func colors(of data: Data) -> String? {
        let isLinear = data.reading { (try? QOIStream($0))?.isLinear }
        return isLinear.map { $0 ? "linear" : "sRGB" }
    }

    package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        guard header.stored != size.result else { return header.stored.bitmapBytes }
        return 4 * header.width + DecodePostprocessing.workingBytes(for: header, size: size)
    }

    package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        try data.reading { (bytes) throws(CodecError) in
            guard var stream = try QOIStream(bytes), stream.size == header.stored else {
                throw CodecError(.notAnImage, "not a QOI image of \(header.stored) pixels")
            }
            let colors =
                stream.isLinear ? CodedColors(primaries: 1, transfer: 8).flatMap { ColorConversion.rgb($0) } : nil
            let bitmap = try DecodePostprocessing(size: size, colors: colors).bitmap(
                rowsOf: stream.size, hasAlpha: stream.hasAlpha
            ) { (row) throws(CodecError) in
                try stream.read(into: row)
                row.premultiplyRGBA()
            }
            try stream.checkEnd()
            return bitmap
        }
    }
}

private struct QOIStream {
    let size: PixelSize
    let hasAlpha: Bool
    let isLinear: Bool

    private let bytes: ByteReader
    private var offset = 14
    private var pixel: UInt32 = 0xFF00_0000
    /// The number of further repetitions of the last pixel.
    private var run = 0
    private var seen = [UInt32](repeating: 0, count: 64)

    /// Returns `nil` if QOI's signature is missing. Throws `damaged` if the header is invalid.
    init?(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        let bytes = ByteReader(bytes)
        guard bytes.has("qoif", at: 0) else { return nil }
        guard let width = bytes.uint32(at: 4), let height = bytes.uint32(at: 8), let channels = bytes.uint8(at: 12),
            let space = bytes.uint8(at: 13), (3...4).contains(channels), space <= 1
        else { throw Self.damaged }
        size = PixelSize(width: width, height: height)
        (hasAlpha, isLinear) = (channels == 4, space == 1)
        self.bytes = bytes
    }

    /// Reads a row as straight RGBA, opaque if the file has no alpha.
    mutating func read(into row: UnsafeMutableBufferPointer<UInt32>) throws(CodecError) {
        let opaque: UInt32 = hasAlpha ? 0 : 0xFF00_0000
        for x in row.indices {
            if run > 0 { run -= 1 } else { try readPixel() }
            row[x] = pixel | opaque
        }
    }

    /// Throws `damaged` unless the end marker follows: seven zero bytes and a byte of value 1.
    func checkEnd() throws(CodecError) {
        guard run == 0, bytes.has("\0\0\0\0\0\0\0\u{1}", at: offset) else { throw Self.damaged }
    }

    private mutating func readPixel() throws(CodecError) {
        let tag = try next()
        switch (tag >> 6, tag) {
        case (_, 0xFE): pixel = try color() | pixel & 0xFF00_0000
        case (_, 0xFF): pixel = try color() | next() << 24
        case (0, _): pixel = seen[Int(tag)]
        case (1, _): change(red: (tag >> 4 & 3) &- 2, green: (tag >> 2 & 3) &- 2, blue: (tag & 3) &- 2)
        case (2, _):
            let second = try next()
            let green = (tag & 63) &- 32
            change(red: green &+ (second >> 4) &- 8, green: green, blue: green &+ (second & 15) &- 8)
        default: run = Int(tag & 63)
        }
        let weights =
            (pixel & 0xFF) &* 3 &+ (pixel >> 8 & 0xFF) &* 5 &+ (pixel >> 16 & 0xFF) &* 7 &+ (pixel >> 24) &* 11
        seen[Int(weights & 63)] = pixel
    }

    /// Adds to the channels of the current pixel, modulo 256.
    private mutating func change(red: UInt32, green: UInt32, blue: UInt32) {
        let red = (pixel &+ red) & 0xFF, green = (pixel >> 8 &+ green) & 0xFF, blue = (pixel >> 16 &+ blue) & 0xFF
        pixel = pixel & 0xFF00_0000 | blue << 16 | green << 8 | red
    }

    private mutating func color() throws(CodecError) -> UInt32 { try next() | next() << 8 | next() << 16 }

    private mutating func next() throws(CodecError) -> UInt32 {
        guard let byte = bytes.uint8(at: offset) else { throw CodecError(.damaged, "QOI is cut short") }
        offset += 1
        return UInt32(byte)
    }

    private static let damaged = CodecError(.damaged, "QOI is damaged: its header or its end is not one")
}
