/// How large an image may be before anything of it is decoded.
///
/// The header alone decides: a file of 60 bytes that announces 100,000 × 100,000 pixels costs nothing. A limit of zero or
/// less lets nothing through; `Int.max` stands for none.
public struct DecodeLimits: Hashable, Sendable {
    /// Pixels of the stored image. 100 million by default.
    public var maxPixels = 100_000_000

    /// Pixels along one side, of the stored image and of the result. 65,535 by default, as much as JPEG can say.
    public var maxDimension = 65_535

    /// Bytes that one decode may take at its peak, its result included. 512 MB by default.
    public var maxDecodeBytes = 512_000_000

    /// Bytes of a bitmap where no size was asked for. 60 MB by default: a larger image comes scaled down to fit, with
    /// its proportions kept. Nil leaves it at full size; one pixel comes even where the limit has no room for it.
    public var maxBitmapBytes: Int? = 60_000_000

    /// A Boolean value indicating whether JPEG, PNG and WebP files that are cut short or damaged show what is there of
    /// them, with transparent pixels in place of the rest. The default is `false`: they fail as `damaged`.
    public var acceptsPartialImages = false

    /// The frames that an animation may have. The default is 65,536.
    ///
    /// It does not hold for the first frame alone, which is decoded as a still image is.
    public var maxFrames = 65_536

    /// The pixels of all frames together of an animation that is encoded. The default is 500 million, which are 240 frames of
    /// 1920 × 1080.
    ///
    /// A frame counts by the canvas that it is drawn on or by its result, whichever is larger, and as 16,384 pixels at least.
    /// It does not hold for playing, where frames are decoded as they are asked for.
    public var maxAnimationPixels = 500_000_000

    /// Creates limits with the defaults that each property documents.
    public init() {}

    /// Refuses an image that is too large, naming the numbers.
    func check(_ header: ImageHeader) throws(CodecError) {
        let size = header.uprightSize
        guard size.width > 0, size.height > 0 else {
            throw CodecError(.damaged, "\(header.format) of \(size): there is nothing to show")
        }
        // The size that it is drawn at counts.
        if header.isScalable { return }
        guard max(size.width, size.height) <= maxDimension else {
            throw CodecError(
                .tooLarge, "\(header.format) of \(size) pixels: a side may have at most \(maxDimension)")
        }
        guard let pixels = size.pixelCount, pixels <= maxPixels else {
            throw CodecError(.tooLarge, "\(header.format) of \(size) pixels: at most \(maxPixels) are allowed")
        }
    }

    /// Refuses an animation of too many frames.
    func check(frameCount: Int, of header: ImageHeader) throws(CodecError) {
        guard frameCount <= maxFrames else {
            throw CodecError(.tooLarge, "\(header.format) of more than \(maxFrames) frames: no more are allowed")
        }
    }

    /// Refuses an animation whose frames are too much to encode.
    func check(frameCount: Int, of frame: PixelSize, on canvas: PixelSize) throws(CodecError) {
        let pixels = max(canvas.pixelCount ?? .max, frame.pixelCount ?? .max, 1 << 14)
        let (sum, overflow) = pixels.multipliedReportingOverflow(by: frameCount)
        guard !overflow, sum <= maxAnimationPixels else {
            throw CodecError(
                .tooLarge,
                "an animation of \(frameCount) frames of \(canvas) pixels: encoding takes at most "
                    + "\(maxAnimationPixels) pixels together")
        }
    }

    /// Refuses a result that is too large, or too expensive to come by.
    func check(_ output: PixelSize, cost: Int, of header: ImageHeader) throws(CodecError) {
        guard max(output.width, output.height) <= maxDimension else {
            throw CodecError(.tooLarge, "a result of \(output) pixels: a side may have at most \(maxDimension)")
        }
        guard cost <= maxDecodeBytes else {
            throw CodecError(
                .tooLarge,
                "\(header.format) of \(header.uprightSize) pixels to \(output): decoding takes \(cost) bytes, "
                    + "at most \(maxDecodeBytes) are allowed")
        }
    }

    /// The size of an image for which none was asked.
    func defaultSize(of size: PixelSize) -> PixelSize {
        guard let maxBitmapBytes, size.bitmapBytes > maxBitmapBytes else { return size }
        let scale = (Double(max(maxBitmapBytes, 0)) / Double(size.bitmapBytes)).squareRoot()
        return PixelSize(
            width: max(1, Int(Double(size.width) * scale)), height: max(1, Int(Double(size.height) * scale)))
    }
}
