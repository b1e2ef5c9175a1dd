#if LongTail
    package import Foundation

    /// BMP, ICO, TGA and PNM, by GdkPixbuf. Its loaders decode all or nothing, and tell a size only while they do:
    /// headers are read here, so that limits hold before. A PNG in an icon is our own decoder's.
    package struct LongTailDecoder: ImageDecoder {
        package let mediaTypes = ["image/bmp", "image/vnd.microsoft.icon"]

        package init() {}

        package func header(of data: Data) throws(CodecError) -> ImageHeader? {
            try data.reading { (bytes) throws(CodecError) in
                let file = ByteReader(bytes)
                guard let kind = LongTailKind(file) else { return nil }
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

        /// GdkPixbuf's pixels, what a loader holds beside them, and ours.
        package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
            4 * header.stored.bitmapBytes + 28 * header.width
                + Finish.workingBytes(for: header, decoded: header.stored, size: size)
        }

        package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
            try data.reading { (bytes) throws(CodecError) in
                let file = ByteReader(bytes)
                guard let kind = LongTailKind(file) else {
                    throw CodecError(.notAnImage, "not a \(header.format)")
                }
                if let png = Self.png(kind, bytes) {
                    return try PNGDecoder().decode(png, header: header, scaledTo: size)
                }
                let facts = try kind.facts(file)
                guard LongTailLength.isWhole(kind, file) else {
                    throw CodecError(.damaged, "\(kind.format) is cut short")
                }
                let bitmap = try PixbufLoader(kind).decode(bytes, facts)
                guard bitmap.size == header.stored else {
                    throw CodecError(
                        .damaged,
                        "\(kind.format) is damaged: \(bitmap.size) pixels came out, \(header.stored) were announced")
                }
                return try Finish(size: size, orientation: 1, colors: nil).apply(to: bitmap)
            }
        }

        /// The PNG that the best image of an icon is, as far as it is there.
        private static func png(_ kind: LongTailKind, _ bytes: UnsafeRawBufferPointer) -> Data? {
            guard kind == .ico, let icon = ICODirectory(ByteReader(bytes))?.best, icon.isPNG else { return nil }
            return Data(bytes[icon.content.clamped(to: 0..<bytes.count)])
        }
    }
#endif
