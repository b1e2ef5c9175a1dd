#if LongTail
    package import Foundation

    /// BMP, ICO, TIFF, TGA and PNM, by GdkPixbuf. Its loaders decode all or nothing, and tell a size only while they do:
    /// headers are read here, so that limits hold before.
    package struct LongTailDecoder: ImageDecoder {
        package let mediaTypes = ["image/bmp", "image/vnd.microsoft.icon", "image/tiff"]

        package init() {}

        package func header(of data: Data) throws(CodecError) -> ImageHeader? {
            try data.reading { (bytes) throws(CodecError) in
                let file = ByteReader(bytes)
                guard let kind = LongTailKind(file) else { return nil }
                guard let facts = kind.facts(file) else {
                    throw CodecError(.damaged, "\(kind.format) is damaged: its header makes no sense")
                }
                guard facts.bytesNeeded <= file.count else {
                    throw CodecError(.damaged, "\(kind.format) is cut short")
                }
                return ImageHeader(
                    format: kind.format, width: facts.size.width, height: facts.size.height,
                    hasAlpha: facts.mayHaveAlpha)
            }
        }

        /// GdkPixbuf's pixels, those turned upright, what a loader holds beside them, and ours.
        package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
            4 * header.stored.bitmapBytes + Finish.workingBytes(for: header, decoded: header.stored, size: size)
        }

        package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
            try data.reading { (bytes) throws(CodecError) in
                guard let kind = LongTailKind(ByteReader(bytes)) else {
                    throw CodecError(.notAnImage, "not a \(header.format)")
                }
                let bitmap = try PixbufLoader(kind).decode(bytes, header)
                return try Finish(size: size, orientation: 1, colors: nil).apply(to: bitmap)
            }
        }
    }
#endif
