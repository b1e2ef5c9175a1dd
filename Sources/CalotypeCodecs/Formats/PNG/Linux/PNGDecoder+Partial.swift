import CSpng
package import Foundation

extension PNGDecoder: PreviewingDecoder {
    func previews(of bytes: UnsafeRawBufferPointer, header: ImageHeader) -> (any PreviewSource)? {
        guard header.isProgressive else { return nil }
        // The first frame of an animation may differ from the default image, which is stored first.
        for chunk in PNGChunks(ByteReader(bytes)) where chunk.name == PNGChunks.Chunk.animation { return nil }
        return PNGPreviews(self, header)
    }
}

/// The previews of an interlaced PNG: its complete passes. Each preview decodes the file from the first byte.
private final class PNGPreviews: PreviewSource {
    let heldBytes = 0
    private let decoder: PNGDecoder
    private let header: ImageHeader

    init(_ decoder: PNGDecoder, _ header: ImageHeader) {
        self.decoder = decoder
        self.header = header
    }

    func decode(_ bytes: UnsafeRawBufferPointer, scaledTo size: DecodeSize) throws(CodecError) -> ImagePreview? {
        try decoder.completePasses(of: bytes, header, size)
    }
}

extension PNGDecoder {
    package func decodePartial(
        _ data: Data, header: ImageHeader, scaledTo size: DecodeSize
    ) throws(CodecError) -> Bitmap? {
        try data.reading { (bytes) throws(CodecError) in
            let start = try start(bytes)
            let part =
                header.isProgressive
                ? try passes(start) : try rows(start, header.stored(size.result), size.filter)
            guard let part else { return nil }
            let finish = DecodePostprocessing(
                size: size, orientation: header.orientation, colors: start.laterColors)
            return try finish.apply(to: part)
        }
    }

    /// Decodes the complete passes of a partially received file to a coarse image, or returns `nil` before the first.
    fileprivate func completePasses(
        of bytes: UnsafeRawBufferPointer, _ header: ImageHeader, _ size: DecodeSize
    ) throws(CodecError) -> ImagePreview? {
        let start = try start(bytes)
        let passes = try Adam7Passes(start.reader, start.header, start.samples)
        guard let (bitmap, extent) = try passes.image(hasAlpha: header.hasAlpha) else { return nil }
        let finish = DecodePostprocessing(size: size, orientation: header.orientation, colors: start.laterColors)
        return ImagePreview(
            bitmap: try finish.apply(to: bitmap, extent: extent),
            detail: extent.size.turned(from: header.orientation))
    }

    private struct Start: ~Copyable {
        let reader: SpngReader
        let header: spng_ihdr
        /// The conversion of samples with 16 bits, or `nil` for images with fewer.
        let samples: DeepSamples?
        /// The conversion after scaling, or `nil` if the rows are in sRGB.
        let laterColors: ColorConversion?
    }

    /// Reads everything that precedes the pixels, before decoding: after its first error, libspng returns no
    /// information.
    private func start(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> Start {
        let reader = try SpngReader(bytes, checksSums: false)
        let (header, colors) = (try reader.header(), try PNGColors.conversion(ByteReader(bytes), reader))
        let samples = DeepSamples(bits: Int(header.bit_depth), colors, within: .sRGB)
        return Start(reader: reader, header: header, samples: samples, laterColors: samples.map(\.colors) ?? colors)
    }

    /// Decodes rows up to the first missing one, and makes all further rows transparent. Returns `nil` if no row is
    /// present.
    private func rows(
        _ start: borrowing Start, _ size: PixelSize, _ filter: ResizeFilter
    ) throws(CodecError) -> Bitmap? {
        var rows = try PNGRows(start.reader, start.header, start.samples)
        var (count, isAtEnd) = (0, false)
        let bitmap = try Bitmap(rowsOf: start.header.size, scaledTo: size, by: filter, hasAlpha: true) { row in
            do throws(CodecError) {
                if !isAtEnd {
                    try rows.read(start.reader, into: row)
                    count += 1
                }
            } catch {
                isAtEnd = true
            }
            if isAtEnd { row.update(repeating: 0) }
        }
        return count > 0 ? bitmap : nil
    }

    /// Decodes interlaced passes up to the first missing row. A missing pixel takes the color of the smallest block
    /// around it whose pixel is present. Returns `nil` if no row is present.
    private func passes(_ start: borrowing Start) throws(CodecError) -> Bitmap? {
        var hasPixels = false
        let bitmap = try Bitmap(start.header.size, hasAlpha: true) { (pixels, stride) throws(CodecError) in
            pixels.initializeMemory(as: UInt8.self, repeating: 0)
            let rows = PixelRows(pixels, size: start.header.size, stride: stride)
            let passes = try PNGPassRows(start.reader, start.header, start.samples)
            var end = (pass: 7, row: 0)
            while let place = start.reader.nextPassRow {
                do throws(CodecError) {
                    try passes.read(start.reader, place, into: rows)
                } catch {
                    end = place
                    break
                }
            }
            hasPixels = end.pass > 0 || end.row > 0
            Adam7(end: end).fill(rows)
        }
        return hasPixels ? bitmap : nil
    }
}

/// PNG's interlacing in seven passes, each of which halves the blocks of the previous pass (PNG, 8.2).
private struct Adam7 {
    /// The first missing row and its pass, both counted from 0.
    let end: (pass: Int, row: Int)

    private static let blocks = [(8, 8), (4, 8), (4, 4), (2, 4), (2, 2), (1, 2), (1, 1)]

    func fill(_ rows: PixelRows) {
        for y in 0..<rows.height {
            let row = rows.row(y)
            for x in row.indices where !isThere(x, y) {
                let origin = Self.blocks.reversed().lazy
                    .map { (x: x & ~($0.0 - 1), y: y & ~($0.1 - 1)) }
                    .first { isThere($0.x, $0.y) }
                if let origin { row[x] = rows.row(origin.y)[origin.x] }
            }
        }
    }

    private func isThere(_ x: Int, _ y: Int) -> Bool {
        let pass = Self.pass(x, y)
        return pass < end.pass || pass == end.pass && y < end.row
    }

    private static func pass(_ x: Int, _ y: Int) -> Int {
        if y & 1 != 0 { return 6 }
        if x & 1 != 0 { return 5 }
        if y & 2 != 0 { return 4 }
        if x & 2 != 0 { return 3 }
        if y & 4 != 0 { return 2 }
        return x & 4 != 0 ? 1 : 0
    }
}
