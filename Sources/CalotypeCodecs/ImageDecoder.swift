public import Foundation

/// The facts that a file's first bytes state about its image.
public struct ImageHeader: Hashable, Sendable {
    /// The image's format.
    public var format: ImageFormat
    /// Pixels as stored, before the orientation is applied.
    public var width: Int
    /// The height in pixels, as stored.
    public var height: Int
    /// EXIF orientation, 1 (upright) to 8.
    public var orientation: Int
    /// A Boolean value indicating whether the image has transparency.
    public var hasAlpha: Bool
    /// The number of frames; 1 for a still image, `nil` for an animation whose frames only the whole file counts.
    ///
    /// ``DecoderRegistry/header(of:)`` counts them.
    public var frameCount: Int?
    /// Whether there is more than one frame.
    public var isAnimated: Bool { frameCount.map { $0 > 1 } ?? true }
    /// A Boolean value indicating whether the image is stored in scans over its whole area, which the decoder has to
    /// keep in memory: progressive JPEG, interlaced PNG.
    public var isProgressive: Bool
    /// Samples stored for each pixel, where subsampled channels count by their share: 1.5 for a JPEG in 4:2:0.
    public var samplesPerPixel: Double
    /// Bits of each stored sample: 8 for most, up to 16.
    public var bitsPerSample: Int
    /// How long all frames of an animation take; zero for a still image.
    public var duration: Duration
    /// Whether the image has no pixels of its own and is drawn at any size, as SVG is. The default is `false`.
    public var isScalable = false
    /// Whether a still image inside an animation is not its first frame, as an APNG may have it.
    var hidesDefaultImage = false
    /// How the pixels are coded where the format leaves a choice, such as "VP8L" in a WebP. The default is `nil`.
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

    /// How long a frame is shown that asks for this many milliseconds. 10 and less are 100, as browsers have it.
    static func shownDuration(milliseconds: Int) -> Duration { .milliseconds(milliseconds > 10 ? milliseconds : 100) }

    /// Turns an upright size to the way in which the image is stored.
    func stored(_ upright: PixelSize) -> PixelSize {
        upright.turned(from: orientation)
    }

    /// Pixels as stored.
    var stored: PixelSize { PixelSize(width: width, height: height) }

    /// Pixels as shown: upright.
    public var uprightSize: PixelSize {
        stored.turned(from: orientation)
    }
}

/// A file format. Any name is one; those that come with the library have members.
public struct ImageFormat: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// Lower case, as in a file's extension: "jpeg".
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// JPEG.
    public static let jpeg = ImageFormat(rawValue: "jpeg")
    /// PNG.
    public static let png = ImageFormat(rawValue: "png")
    /// WebP.
    public static let webp = ImageFormat(rawValue: "webp")
    /// GIF.
    public static let gif = ImageFormat(rawValue: "gif")
    /// AVIF.
    public static let avif = ImageFormat(rawValue: "avif")
    /// QOI, the "Quite OK Image" format.
    public static let qoi = ImageFormat(rawValue: "qoi")

    /// HEIC, and what else comes in HEIF.
    public static let heic = ImageFormat(rawValue: "heic")
    /// JPEG XL.
    public static let jpegXL = ImageFormat(rawValue: "jxl")
    /// SVG.
    public static let svg = ImageFormat(rawValue: "svg")

    /// The extensions of image files, in lower case and without a dot, each with its format.
    package static let byFileExtension: [String: ImageFormat] = [
        "jpg": .jpeg, "jpeg": .jpeg, "jpe": .jpeg, "jfif": .jpeg, "png": .png, "webp": .webp, "gif": .gif,
        "avif": .avif, "qoi": .qoi, "heic": .heic, "jxl": .jpegXL, "svg": .svg, "bmp": ImageFormat(rawValue: "bmp"),
        "tif": ImageFormat(rawValue: "tiff"), "tiff": ImageFormat(rawValue: "tiff"),
    ]

    /// The format that an extension stands for, in either case and without a dot; `nil` if it is not one of an image.
    package init?(fileExtension: String) {
        guard let format = ImageFormat.byFileExtension[fileExtension.lowercased()] else { return nil }
        self = format
    }

    /// "image/jpeg".
    public var mediaType: String { self == .svg ? "image/svg+xml" : "image/\(rawValue)" }

    /// "JPEG".
    public var description: String { self == .jpegXL ? "JPEG XL" : rawValue.uppercased() }
}

/// Width and height in pixels.
public struct PixelSize: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// "400 × 300".
    public var description: String { "\(width) × \(height)" }

    /// `nil` where the number does not fit.
    var pixelCount: Int? {
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? nil : count
    }

    /// The size of a bitmap of this size in memory, in bytes. Ends at 2^59, which is beyond any memory, yet small
    /// enough to add several.
    var bitmapBytes: Int { 4 * min(pixelCount ?? .max, 1 << 57) }
}

extension PixelSize {
    /// An upright size as it is stored with this EXIF orientation, and the other way round.
    func turned(from orientation: Int) -> PixelSize {
        orientation >= 5 ? PixelSize(width: height, height: width) : self
    }
}

/// Turns the bytes of one format, or several, into pixels. Called on threads that may block.
public protocol ImageDecoder: Sendable {
    /// The media types that it reads, for the Accept field of requests, such as "image/webp". None by default.
    var mediaTypes: [String] { get }

    /// Names the colors that the numbers of a file stand for, such as "Display P3"; `nil`, the default, where the file says
    /// nothing about them.
    func colors(of data: Data) -> String?

    /// Reads the header. Nil: not mine. Decides by the bytes, never by a name or a Content-Type.
    func header(of data: Data) throws(CodecError) -> ImageHeader?

    /// Bytes of memory that `decode` takes at its peak for this header and size, the bitmap that it returns included.
    func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int

    /// Decodes to upright sRGB pixels.
    ///
    /// - Parameter size: what the caller asks for. A codec that shrinks while it reads stops at ``DecodeSize/least`` or
    ///   above it, and the caller's filter does the rest. A decoder that applies the filter itself returns
    ///   ``DecodeSize/result``.
    func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap

    /// Decodes what is there of a file that is cut short or damaged, with transparent pixels where there is nothing, in no
    /// more memory than `decode` takes. Returns `nil` where nothing is there, which is what the default implementation does.
    ///
    /// Called after `decode` has thrown `damaged`, and only with ``DecodeLimits/acceptsPartialImages``.
    func decodePartial(
        _ data: Data, header: ImageHeader, scaledTo size: DecodeSize
    ) throws(CodecError) -> Bitmap?

    /// Opens the frames of an animation without decoding a pixel.
    ///
    /// - Returns: `nil` where the decoder reads the first frame alone, which is the default.
    func openFrames(
        of data: Data, header: ImageHeader, limits: DecodeLimits
    ) throws(CodecError) -> sending (any FrameDecoder)?
}

extension ImageDecoder {
    public func decodePartial(
        _ data: Data, header: ImageHeader, scaledTo size: DecodeSize
    ) throws(CodecError) -> Bitmap? { nil }

    public var mediaTypes: [String] { [] }

    public func colors(of data: Data) -> String? { nil }

    public func openFrames(
        of data: Data, header: ImageHeader, limits: DecodeLimits
    ) throws(CodecError) -> sending (any FrameDecoder)? { nil }
}
