import Foundation

/// One decode, thought through before it starts: what comes out, and what it takes.
///
/// Made by ``DecoderRegistry/plan(for:target:limits:)``. Has only read the header; whoever admits decodes by bytes looks
/// at ``cost`` first and calls ``decode()`` when there is room.
package struct DecodePlan: Sendable {
    /// The file's header.
    package let header: ImageHeader

    /// Pixels of the bitmap that ``decode()`` returns, upright and cut to the target where that is to be filled.
    package var outputSize: PixelSize { crop?.size ?? scaledSize }

    /// Bytes of memory that ``decode()`` takes at its peak, the result included and the file's own bytes not.
    package let cost: Int

    /// Before the crop.
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

    /// Decodes to exactly ``outputSize``. Takes its time on the calling thread.
    ///
    /// - Throws: `damaged` where the file is broken or cut short, `unsupported` for variants of a format that nobody
    ///   uses, `tooLarge` where there is no memory.
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

    /// The size of the file in memory, in bytes.
    var fileBytes: Int { data.count }

    /// Opens the frames of an animation; nil where the decoder reads the first one alone.
    func openFrames(_ limits: DecodeLimits) throws(CodecError) -> sending (any FrameDecoder)? {
        try decoder.openFrames(of: data, header: header, limits: limits)
    }

    /// Brings a whole canvas, as stored, to ``outputSize``.
    func finish(_ canvas: Bitmap) throws(CodecError) -> Bitmap {
        let turned = header.orientation == 1 ? canvas : try canvas.oriented(header.orientation)
        return try fit(turned)
    }

    /// What the decoder is asked for.
    var decodeSize: DecodeSize {
        DecodeSize(scaledSize, of: header.isScalable ? scaledSize : header.uprightSize, filter: filter)
    }

    /// Brings what a decoder has returned to ``outputSize``.
    func fit(_ upright: Bitmap) throws(CodecError) -> Bitmap {
        let scaled = try upright.scaled(to: scaledSize, filter: filter)
        return try crop?.apply(to: scaled) ?? scaled
    }

    /// Returns the memory that the decoder takes, plus that of scaling its bitmap if it is not the result yet.
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
