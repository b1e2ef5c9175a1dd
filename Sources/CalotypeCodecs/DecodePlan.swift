import Foundation

/// The plan of one decode: its result and its cost.
///
/// Created by ``DecoderRegistry/plan(for:target:limits:)``, which reads only the header. Callers that limit memory
/// check ``cost`` first, and call ``decode()`` when that memory is available.
package struct DecodePlan: Sendable {
    /// The file's header.
    package let header: ImageHeader

    /// The size in pixels of the bitmap that ``decode()`` returns, upright and cropped to a target that it fills.
    package var outputSize: PixelSize { crop?.size ?? scaledSize }

    /// The peak memory of ``decode()`` in bytes, including the result but not the file.
    package let cost: Int

    /// The size before cropping.
    private let scaledSize: PixelSize
    private let crop: Crop?
    private let filter: ResizeFilter
    private let acceptsPartialImages: Bool
    private let data: Data
    private let decoder: any ImageDecoder

    init(
        data: Data, decoder: any ImageDecoder, header: ImageHeader, scaledSize: PixelSize, crop: Crop?,
        filter: ResizeFilter, acceptsPartialImages: Bool
    ) {
        self.data = data
        self.decoder = decoder
        self.header = header
        self.scaledSize = scaledSize
        self.crop = crop
        self.filter = filter
        self.acceptsPartialImages = acceptsPartialImages
        cost = Self.cost(of: header, by: decoder, outputSize: scaledSize, filter)
    }

    /// Decodes to exactly ``outputSize``. Blocks the calling thread.
    ///
    /// - Throws: `damaged` if the file is damaged or truncated, `unsupported` for rare variants of a format, `tooLarge`
    ///   if memory is exhausted.
    package func decode() throws(CodecError) -> Bitmap {
        let bitmap: Bitmap
        do throws(CodecError) {
            bitmap = try decoder.decode(data, header: header, scaledTo: decodeSize)
        } catch {
            guard acceptsPartialImages, error.code == .damaged,
                let part = try decoder.decodePartial(data, header: header, scaledTo: decodeSize)
            else { throw error }
            bitmap = part
        }
        return try fit(bitmap).declaring(isFirstFrame: header.isAnimated)
    }

    /// Whether the decode takes less time than a hop to another thread: a default format, with at most 64 × 64 pixels
    /// and 64 KiB, scaled to no more.
    package var isBrief: Bool {
        let sides = [header.width, header.height, outputSize.width, outputSize.height]
        return data.count <= 64 << 10 && sides.allSatisfy { $0 <= 64 } && decoder is any BriefDecoder
    }

    /// The size of the file in memory, in bytes.
    var fileBytes: Int { data.count }

    /// Opens the frames of an animation, or returns `nil` if the decoder reads only the first one.
    func openFrames(_ limits: DecodeLimits) throws(CodecError) -> sending (any FrameDecoder)? {
        try (decoder as? any AnimationDecoder)?.openFrames(of: data, header: header, limits: limits)
    }

    /// Turns and scales a complete canvas, as stored, to ``outputSize``.
    func finish(_ canvas: Bitmap) throws(CodecError) -> Bitmap {
        let turned = header.orientation == 1 ? canvas : try canvas.oriented(header.orientation)
        return try fit(turned)
    }

    /// The size requested from the decoder.
    var decodeSize: DecodeSize {
        DecodeSize(scaledSize, of: header.isScalable ? scaledSize : header.uprightSize, filter: filter)
    }

    /// Scales and crops the decoder's result to ``outputSize``.
    func fit(_ upright: Bitmap) throws(CodecError) -> Bitmap {
        let scaled = try upright.scaled(to: scaledSize, filter: filter)
        return try crop?.apply(to: scaled) ?? scaled
    }

    /// Returns the memory of the decoder, plus that of scaling its bitmap if necessary.
    private static func cost(
        of header: ImageHeader, by decoder: any ImageDecoder, outputSize: PixelSize, _ filter: ResizeFilter
    ) -> Int {
        let size = DecodeSize(outputSize, of: header.isScalable ? outputSize : header.uprightSize, filter: filter)
        let work = decoder.workingBytes(for: header, scaledTo: size)
        guard outputSize != header.uprightSize else { return work }
        let scaling = ImageScaling(from: ImageExtent(size.result), to: outputSize, filter: filter)
        let enlarging = outputSize == size.result ? 0 : scaling.workingBytes
        let (sum, overflow) = work.addingReportingOverflow(outputSize.bitmapBytes + enlarging)
        return overflow ? .max : sum
    }
}
