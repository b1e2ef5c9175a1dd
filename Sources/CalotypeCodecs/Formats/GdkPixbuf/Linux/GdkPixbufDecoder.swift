#if GdkPixbuf
    package import Foundation

    /// Decodes BMP, TGA and PNM with GdkPixbuf. Its loaders report a size only while decoding, so this decoder
    /// reads the headers to check the limits first. `PNGDecoder` decodes PNGs inside icons, and `ICOBitmap` the other ones.
    package struct GdkPixbufDecoder: ImageDecoder {
        package let mediaTypes = ["image/bmp", "image/vnd.microsoft.icon"]

        package init() {}

        package func header(of data: Data) throws(CodecError) -> ImageHeader? {
            try data.reading { (bytes) throws(CodecError) in
                let file = ByteReader(bytes)
                guard let kind = GdkPixbufKind(file) else { return nil }
                if let png = Self.png(kind, bytes) {
                    guard var header = try PNGDecoder().header(of: png) else {
                        throw CodecError(.damaged, "\(kind.format) is cut short")
                    }
                    (header.format, header.frameCount, header.duration) = (kind.format, 1, .zero)
                    return header
                }
                let facts = try kind.facts(file)
                return ImageHeader(
                    format: kind.format, width: facts.size.width, height: facts.size.height,
                    hasAlpha: facts.mayHaveAlpha)
            }
        }

        /// Returns an estimate for GdkPixbuf's pixels, the input that it buffers, the decoded bitmap and the result.
        package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
            4 * header.stored.bitmapBytes + (16 << 20)
        }

        package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
            try data.reading { (bytes) throws(CodecError) in
                let file = ByteReader(bytes)
                guard let kind = GdkPixbufKind(file) else { throw CodecError(.notAnImage, "not a \(header.format)") }
                if let png = Self.png(kind, bytes) {
                    return try PNGDecoder().decode(png, header: header, scaledTo: size)
                }
                let facts = try kind.facts(file)
                guard GdkPixbufLength.isWhole(kind, file) else {
                    throw CodecError(.damaged, "\(kind.format) is cut short")
                }
                let bitmap: Bitmap
                if kind == .ico, let icon = ICOImage(file), let image = ICOBitmap(icon, file) {
                    bitmap = try image.decode()
                } else {
                    bitmap = try PixbufLoader(kind).decode(bytes, facts)
                }
                guard bitmap.size == header.stored else {
                    throw CodecError(
                        .damaged,
                        "\(kind.format) is damaged: \(bitmap.size) pixels came out, \(header.stored) were announced")
                }
                return try DecodePostprocessing(size: size).apply(to: bitmap)
            }
        }

        /// Returns the PNG of an icon's best image, which may be truncated. Returns `nil` if that image is not a PNG.
        private static func png(_ kind: GdkPixbufKind, _ bytes: UnsafeRawBufferPointer) -> Data? {
            guard kind == .ico, let icon = ICOImage(ByteReader(bytes)), icon.isPNG else { return nil }
            return Data(bytes[icon.content.clamped(to: 0..<bytes.count)])
        }
    }
#endif
