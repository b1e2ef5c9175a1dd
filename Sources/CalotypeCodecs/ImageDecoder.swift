public import Foundation

/// The properties of an image, read from its file without decoding pixels.
public struct ImageHeader: Hashable, Sendable {
    /// The image's format.
    public var format: ImageFormat
    /// The width in pixels, as stored, before the orientation is applied.
    public var width: Int
    /// The height in pixels, as stored.
    public var height: Int
    /// The EXIF orientation, from 1 (upright) to 8.
    public var orientation: Int
    /// Whether the image has transparency.
    public var hasAlpha: Bool
    /// The number of frames: 1 for a still image, or `nil` for an animation whose frames have not been counted.
    ///
    /// ``DecoderRegistry/header(of:)`` counts them.
    public var frameCount: Int?
    /// Whether there is more than one frame.
    public var isAnimated: Bool { frameCount.map { $0 > 1 } ?? true }
    /// Whether the image is stored in scans that the decoder must keep in memory: progressive JPEG, interlaced PNG.
    public var isProgressive: Bool
    /// The average number of stored samples per pixel: 3 for RGB, 1.5 for a JPEG in 4:2:0, whose colors are subsampled.
    public var samplesPerPixel: Double
    /// The number of bits of each stored sample; usually 8.
    public var bitsPerSample: Int
    /// The total duration of an animation. Zero for a still image, or if the frames have not been counted.
    public var duration: Duration
    /// Whether the image is a vector image such as SVG, which can be drawn at any size. The default is `false`.
    public var isScalable = false
    /// Whether an APNG contains a still image, for viewers without animation, that is not one of its frames.
    var hidesDefaultImage = false
    /// The memory for a row of tiles and the decode of one of them, in bytes. `nil` unless the decoder reads the image tile
    /// by tile.
    var bandBytes: Int?
    /// The coding of the pixels if the format has several, such as "VP8L" for WebP. The default is `nil`.
    public var codec: String?

    /// Creates a header, for decoders.
    public init(
        format: ImageFormat, width: Int, height: Int, orientation: Int = 1, hasAlpha: Bool = false,
        frameCount: Int? = 1, isProgressive: Bool = false, samplesPerPixel: Double = 3,
        bitsPerSample: Int = 8, duration: Duration = .zero
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.orientation = orientation
        self.hasAlpha = hasAlpha
        self.frameCount = frameCount
        self.isProgressive = isProgressive
        self.samplesPerPixel = samplesPerPixel
        self.bitsPerSample = bitsPerSample
        self.duration = duration
    }

    /// Returns the duration for which a frame is shown. Stored values of 10 ms or less become 100 ms, as in browsers.
    static func shownDuration(milliseconds: Int) -> Duration { .milliseconds(milliseconds > 10 ? milliseconds : 100) }

    /// Converts an upright size to the orientation in which the image is stored.
    func stored(_ upright: PixelSize) -> PixelSize { upright.turned(from: orientation) }

    var stored: PixelSize { PixelSize(width: width, height: height) }

    /// The size in pixels of the upright image.
    public var uprightSize: PixelSize { stored.turned(from: orientation) }
}

/// A width and height in pixels.
public struct PixelSize: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates a size.
    public init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
    }

    /// The size for display, such as "400 × 300".
    public var description: String { "\(width) × \(height)" }

    /// The number of pixels, or `nil` on overflow.
    var pixelCount: Int? {
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? nil : count
    }

    /// The memory of a bitmap of this size, in bytes. At most 2^59, so that sums do not overflow.
    var bitmapBytes: Int { 4 * min(pixelCount ?? .max, 1 << 57) }

    /// Converts an upright size to the stored size for this EXIF orientation, or back.
    func turned(from orientation: Int) -> PixelSize {
        orientation >= 5 ? PixelSize(width: height, height: width) : self
    }
}

/// A decoder of one or more formats. Its functions are called on threads that may block.
public protocol ImageDecoder: Sendable {
    /// The supported media types for the Accept field of requests, such as "image/webp". Empty by default.
    var mediaTypes: [String] { get }

    /// Returns the name of the file's color space, such as "Display P3", or `nil` (the default) if it is unknown.
    func colors(of data: Data) -> String?

    /// Reads the header, or returns `nil` for other formats. Considers only the bytes, never a name or a Content-Type.
    func header(of data: Data) throws(CodecError) -> ImageHeader?

    /// Returns the peak memory of `decode` in bytes for this header and size, including the bitmap that it returns.
    func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int

    /// Decodes to upright sRGB pixels.
    ///
    /// - Parameter size: The requested size. The bitmap must be at least as large as ``DecodeSize/least``; the caller
    ///   resizes it. A decoder with its own resize filter may return ``DecodeSize/result`` instead.
    func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap

    /// Decodes the intact part of a truncated or damaged file, with transparent pixels elsewhere. Uses no more memory
    /// than `decode`. Returns `nil` if no part is intact. The default implementation always returns `nil`.
    ///
    /// Called after `decode` has thrown `damaged`, and only with ``DecodeLimits/acceptsPartialImages``.
    func decodePartial(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap?
}

/// A decoder whose `decodePartial` needs more memory than `decode`: it holds the whole image, of which `decode` has a few
/// rows at a time.
protocol PartialDecoder: ImageDecoder {
    /// Returns the peak memory of `decodePartial` in bytes, including the bitmap that it returns.
    func partialBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int
}

extension ImageDecoder {
    /// Returns the peak memory in bytes of `decode`, and of `decodePartial` if it may follow.
    func peakBytes(for header: ImageHeader, scaledTo size: DecodeSize, acceptsPartialImages: Bool) -> Int {
        let whole = workingBytes(for: header, scaledTo: size)
        guard acceptsPartialImages, let partial = self as? any PartialDecoder else { return whole }
        return max(whole, partial.partialBytes(for: header, scaledTo: size))
    }

    public func decodePartial(
        _ data: Data, header: ImageHeader, scaledTo size: DecodeSize
    ) throws(CodecError) -> Bitmap? { nil }

    public var mediaTypes: [String] { [] }

    public func colors(of data: Data) -> String? { nil }
}

/// A decoder that takes only microseconds for the smallest images: less than a hop to another thread and back.
///
/// Only decoders of default formats conform: the codecs that package traits add start slowly, and a decoder registered
/// by a program may take any time.
package protocol BriefDecoder: ImageDecoder {}
