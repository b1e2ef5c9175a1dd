package import Foundation

/// A decoder of BMP, icons and cursors, TGA, and Netpbm's formats. Scales row by row while reading, so that a thumbnail needs
/// memory for only a few rows. `PNGDecoder` decodes PNGs in icons.
package struct RowFileDecoder: BriefDecoder {
    package let mediaTypes = ["image/bmp", "image/vnd.microsoft.icon"]

    package init() {}

    package func header(of data: Data) throws(CodecError) -> ImageHeader? {
        try data.reading { (bytes) throws(CodecError) in
            let file = ByteReader(bytes)
            guard let kind = RowFileKind(file) else { return nil }
            if let png = Self.png(kind, bytes) {
                guard var header = try PNGDecoder().header(of: png) else {
                    throw CodecError(.damaged, "\(kind.format) is cut short")
                }
                (header.format, header.frameCount, header.duration) = (kind.format, 1, .zero)
                return header
            }
            let rows = try kind.open(file)
            return ImageHeader(
                format: kind.format, width: rows.size.width, height: rows.size.height, hasAlpha: rows.hasAlpha,
                samplesPerPixel: rows.samplesPerPixel, bitsPerSample: rows.bitsPerSample)
        }
    }

    package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        // A palette of 16 bits, the place of each row of run lengths, and a row.
        let work = 256 << 10 + MemoryLayout<RowPlace>.stride * header.height + 4 * header.width
        let rows =
            header.stored == size.result
            ? header.stored.bitmapBytes : DecodePostprocessing.workingBytes(for: header, size: size)
        let own = work + rows
        let isIcon = header.format == RowFileKind.ico.format
        return isIcon ? max(own, PNGDecoder().workingBytes(for: header, scaledTo: size)) : own
    }

    package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        try data.reading { (bytes) throws(CodecError) in
            let file = ByteReader(bytes)
            guard let kind = RowFileKind(file) else { throw CodecError(.notAnImage, "not a \(header.format)") }
            if let png = Self.png(kind, bytes) {
                return try PNGDecoder().decode(png, header: header, scaledTo: size)
            }
            var rows = try kind.open(file)
            guard rows.size == header.stored else {
                throw CodecError(.notAnImage, "not a \(kind.format) of \(header.stored) pixels")
            }
            try rows.begin()
            let bitmap = try Bitmap(
                rowsOf: rows.size, scaledTo: size.result, by: size.filter, hasAlpha: rows.hasAlpha
            ) { (row) throws(CodecError) in try rows.read(into: row) }
            return try DecodePostprocessing(size: size).apply(to: bitmap)
        }
    }

    /// Returns the PNG of an icon's best image, which may be cut short. Returns `nil` if that image is not a PNG.
    private static func png(_ kind: RowFileKind, _ bytes: UnsafeRawBufferPointer) -> Data? {
        guard kind == .ico, let icon = ICOImage(ByteReader(bytes)), icon.isPNG else { return nil }
        return Data(bytes[icon.content.clamped(to: 0..<bytes.count)])
    }
}
