#if canImport(ImageIO)
    public import Foundation
    import CoreGraphics

    /// All formats that Apple's systems know: JPEG, PNG, GIF, WebP, HEIC, AVIF, TIFF, BMP and more; the frames of GIF,
    /// PNG, WebP and HEICS. Upright, converted to sRGB.
    ///
    /// Shrinks while it decodes where the format allows: by Image I/O's own means to twice the size asked for, by the
    /// ``ResizeFilter`` from there. Image I/O shows half an image where the other half is missing: files that have no end
    /// are refused before.
    public struct ImageIODecoder: ImageDecoder {
        public init() {}

        public func header(of data: Data) throws(CodecError) -> ImageHeader? {
            guard let source = ImageIOSource(data) else { return nil }
            return try source.header()
        }

        /// All pixels as stored and twice the result: more than Image I/O takes where it shrinks while it reads, which
        /// it does not tell beforehand.
        public func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
            header.stored.bitmapBytes + 2 * size.least.bitmapBytes
        }

        public func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
            let isCutShort = data.reading { FileEnd.isMissing(in: ByteReader($0)) }
            if isCutShort { throw CodecError(.damaged, "\(header.format) is cut short: its end is missing") }
            guard let source = ImageIOSource(data) else { throw CodecError(.notAnImage, "not an image") }
            let side = header.uprightSize.longestSide(covering: size.least)
            let image = try source.image(longestSide: side)
            // Properties tell of an alpha channel in few formats; a thumbnail may have an empty one, which JPEG never needs.
            let hasAlpha = header.hasAlpha || image.hasAlpha && header.format != .jpeg
            return try Bitmap(drawing: image, hasAlpha: hasAlpha)
        }

        public func openFrames(
            of data: Data, header: ImageHeader, limits: DecodeLimits
        ) throws(CodecError) -> sending (any FrameDecoder)? {
            try ImageIOFrames(data, header: header, limits: limits)
        }
    }
#endif
