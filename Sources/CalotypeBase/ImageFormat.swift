/// A file format, identified by its name. Any name is valid; common formats have static members.
public struct ImageFormat: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name in lower case, like a file extension: "jpeg".
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

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

    /// HEIC, and other images in HEIF files except AVIF.
    public static let heic = ImageFormat(rawValue: "heic")
    /// JPEG XL.
    public static let jpegXL = ImageFormat(rawValue: "jxl")
    /// SVG.
    public static let svg = ImageFormat(rawValue: "svg")
    /// A camera's raw file, such as DNG, CR3 or NEF. On Linux its image is the largest preview in it, a JPEG.
    public static let cameraRaw = ImageFormat(rawValue: "raw")

    /// The formats by file extension, in lower case and without a dot.
    private static let byFileExtension: [ByteString: ImageFormat] = [
        "jpg": .jpeg, "jpeg": .jpeg, "jpe": .jpeg, "jfif": .jpeg, "png": .png, "webp": .webp, "gif": .gif,
        "avif": .avif, "qoi": .qoi, "heic": .heic, "jxl": .jpegXL, "svg": .svg, "bmp": ImageFormat(rawValue: "bmp"),
        "tif": ImageFormat(rawValue: "tiff"), "tiff": ImageFormat(rawValue: "tiff"),
        "ico": ImageFormat(rawValue: "ico"), "cur": ImageFormat(rawValue: "ico"), "tga": ImageFormat(rawValue: "tga"),
        "pnm": ImageFormat(rawValue: "pnm"), "pbm": ImageFormat(rawValue: "pnm"), "pgm": ImageFormat(rawValue: "pnm"),
        "ppm": ImageFormat(rawValue: "pnm"), "pam": ImageFormat(rawValue: "pnm"),
        "dng": .cameraRaw, "cr2": .cameraRaw, "cr3": .cameraRaw, "nef": .cameraRaw, "nrw": .cameraRaw,
        "arw": .cameraRaw,
        "raf": .cameraRaw, "orf": .cameraRaw, "rw2": .cameraRaw, "rwl": .cameraRaw, "pef": .cameraRaw,
        "srw": .cameraRaw,
        "3fr": .cameraRaw, "gpr": .cameraRaw, "crw": .cameraRaw, "x3f": .cameraRaw,
    ]

    /// Creates the format of a file extension, in either case and without a dot, or returns `nil` if it is unknown.
    package init?(fileExtension: String) {
        guard let format = Self.byFileExtension[ByteString(fileExtension).lowercasedASCII] else { return nil }
        self = format
    }

    /// The media type, such as "image/jpeg".
    public var mediaType: String {
        switch self {
        case .svg: "image/svg+xml"
        case .cameraRaw: "image/x-dcraw"
        default: "image/\(rawValue)"
        }
    }

    /// The name for display, such as "JPEG".
    public var description: String {
        guard self != .jpegXL else { return "JPEG XL" }
        return String(decoding: rawValue.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
    }
}
