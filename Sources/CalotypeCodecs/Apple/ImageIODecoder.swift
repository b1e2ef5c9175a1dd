#if canImport(ImageIO)
    import Foundation
    import CoreGraphics

    /// Decodes all formats of Image I/O: JPEG, PNG, GIF, WebP, HEIC, AVIF, TIFF, BMP and more, and the frames of GIF,
    /// PNG, WebP and HEICS. The result is upright and in sRGB.
    ///
    /// Downsamples while decoding if the format supports it: Image I/O downsamples to twice the requested size, and the
    /// ``ResizeFilter`` does the rest. Image I/O decodes truncated files without an error, so these are rejected first.
    struct ImageIODecoder: AnimationDecoder {
        func header(of data: Data) throws(CodecError) -> ImageHeader? { try ImageIOSource(data)?.header() }

        /// Returns the memory of all stored pixels, and of two bitmaps of the size requested from Image I/O. The
        /// estimate is too high if Image I/O downsamples while reading, which it does not report in advance.
        func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
            header.stored.bitmapBytes + 2 * size.least.bitmapBytes
        }

        func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
            let isCutShort = data.reading { FileEnd.isMissing(in: ByteReader($0)) }
            if isCutShort { throw CodecError(.damaged, "\(header.format) is cut short: its end is missing") }
            guard let source = ImageIOSource(data) else { throw CodecError(.notAnImage, "not an image") }
            let side = header.uprightSize.longestSide(covering: size.least)
            let image = try source.image(longestSide: side)
            // Image I/O reports alpha in the properties of few formats, so check the decoded image, too. That of a JPEG
            // may have an alpha channel although all pixels are opaque.
            let hasAlpha = header.hasAlpha || image.hasAlpha && header.format != .jpeg
            return try Bitmap(drawing: image, hasAlpha: hasAlpha)
        }

        func openFrames(
            of data: Data, header: ImageHeader, limits: DecodeLimits, gamut: ColorGamut
        ) throws(CodecError) -> sending (any FrameDecoder)? {
            try ImageIOFrames(data, header: header, limits: limits)
        }
    }
#endif
