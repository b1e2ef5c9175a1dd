/// Limits on images, checked before decoding.
///
/// The check reads only the header: it rejects a file of 60 bytes that announces 100,000 × 100,000 pixels without
/// allocating memory for them. A limit of zero or less rejects every image to which it applies; `Int.max` means no
/// limit. ``maxBitmapBytes`` never rejects an image.
public struct DecodeLimits: Hashable, Sendable {
    /// The maximum number of pixels in the stored image. Does not apply to vector images. The default is 100 million.
    public var maxPixels = 100_000_000

    /// The maximum length of a side in pixels, of the stored image (unless it is a vector image) and of the result. The
    /// default is 65,535, JPEG's maximum.
    public var maxDimension = 65_535

    /// The maximum memory of one decode in bytes, including its result.
    ///
    /// The default is 512 MB; in the options of a loader it is a quarter of the memory available to the process, if
    /// that is more. Of 50 megapixels, a HEIC that is not in tiles takes 0.4 to 0.6 GB, one of 10 bits 0.8 to 1 GB, and a
    /// JPEG XL 2 GB.
    public var maxDecodeBytes = Self.leastDecodeBytes

    private static let leastDecodeBytes = 512_000_000

    /// The maximum size of a bitmap in bytes if no target size is requested. Larger images are scaled down
    /// proportionally to fit, to no less than one pixel per side. If `nil`, they keep their full size. The default is
    /// 60 MB.
    public var maxBitmapBytes: Int? = 60_000_000

    /// Whether truncated or damaged JPEG, PNG and WebP files, and HEIC files with damaged tiles, are decoded as far as they
    /// are intact, with transparent pixels elsewhere. If `false` (the default), such a file fails with `damaged`.
    public var acceptsPartialImages = false

    /// The maximum number of frames in an animation. The default is 65,536.
    ///
    /// The limit does not apply if only the first frame is decoded.
    public var maxFrames = 65_536

    /// The maximum number of pixels in an animation to encode, added up over its frames. The default is 500 million:
    /// 240 frames of 1920 × 1080.
    ///
    /// A frame counts as the larger of its canvas and its result, and as at least 16,384 pixels. The limit does not
    /// apply to playback, which decodes frames on demand.
    public var maxAnimationPixels = 500_000_000

    /// Creates limits with the default values of the properties.
    public init() {}

    /// Creates the limits of a process that may use this much memory, in bytes.
    package init(memory: Int) {
        maxDecodeBytes = max(memory / 4, Self.leastDecodeBytes)
    }

    func check(_ header: ImageHeader) throws(CodecError) {
        let size = header.uprightSize
        guard size.width > 0, size.height > 0 else {
            throw CodecError(.damaged, "\(header.format) of \(size): there is nothing to show")
        }
        // A vector image is not stored in pixels: only the requested size is checked, by `check(_:cost:of:)`.
        if header.isScalable { return }
        guard max(size.width, size.height) <= maxDimension else {
            throw CodecError(.tooLarge, "\(header.format) of \(size) pixels: a side may have at most \(maxDimension)")
        }
        guard let pixels = size.pixelCount, pixels <= maxPixels else {
            throw CodecError(.tooLarge, "\(header.format) of \(size) pixels: at most \(maxPixels) are allowed")
        }
    }

    /// The number of frames to look for: one more than are allowed.
    var frameScanLimit: Int { maxFrames < .max ? maxFrames + 1 : .max }

    func check(frameCount: Int, of header: ImageHeader) throws(CodecError) {
        guard frameCount <= maxFrames else {
            throw CodecError(.tooLarge, "\(header.format) of more than \(maxFrames) frames: no more are allowed")
        }
    }

    func check(frameCount: Int, of frame: PixelSize, on canvas: PixelSize) throws(CodecError) {
        guard Self.animationPixels(frameCount: frameCount, of: frame, on: canvas) <= maxAnimationPixels else {
            let larger = (frame.pixelCount ?? .max) > (canvas.pixelCount ?? .max) ? frame : canvas
            throw CodecError(
                .tooLarge,
                "an animation of \(frameCount) frames of \(larger) pixels: encoding takes at most "
                    + "\(maxAnimationPixels) pixels together")
        }
    }

    /// Returns the number of pixels that count against ``maxAnimationPixels``; `Int.max` after an overflow.
    static func animationPixels(frameCount: Int, of frame: PixelSize, on canvas: PixelSize) -> Int {
        let pixels = max(canvas.pixelCount ?? .max, frame.pixelCount ?? .max, 1 << 14)
        let (sum, overflow) = pixels.multipliedReportingOverflow(by: frameCount)
        return overflow ? .max : sum
    }

    func check(_ output: PixelSize, cost: Int, of header: ImageHeader) throws(CodecError) {
        guard max(output.width, output.height) <= maxDimension else {
            throw CodecError(.tooLarge, "a result of \(output) pixels: a side may have at most \(maxDimension)")
        }
        guard cost <= maxDecodeBytes else {
            let source = header.uprightSize
            // The larger of the two is the cause, and the one to change.
            let image =
                output.bitmapBytes > source.bitmapBytes
                ? "a result of \(output) pixels" : "\(header.format) of \(source) pixels, decoded to \(output),"
            throw CodecError(
                .tooLarge,
                "\(image) takes \(cost.megabytes(.up)) of memory, and at most \(maxDecodeBytes.megabytes(.down)) "
                    + "are allowed")
        }
    }

    /// Returns the size for a decode without a target size: `size`, reduced to fit ``maxBitmapBytes``.
    func defaultSize(of size: PixelSize) -> PixelSize {
        guard let maxBitmapBytes, size.bitmapBytes > maxBitmapBytes else { return size }
        let scale = (Double(max(maxBitmapBytes, 0)) / Double(size.bitmapBytes)).squareRoot()
        return PixelSize(
            width: max(1, Int(Double(size.width) * scale)), height: max(1, Int(Double(size.height) * scale)))
    }
}

extension Int {
    /// Returns a number of bytes in megabytes, with one decimal below 10 MB.
    package func megabytes(_ rule: FloatingPointRoundingRule) -> String {
        if self < 100_000 { return "\(self) bytes" }
        let amount = Double(self) / 1e6
        if amount >= 10 { return "\(Int(amount.rounded(rule))) MB" }
        return "\((amount * 10).rounded(rule) / 10) MB"
    }
}
