package import CalotypeBase

/// The options of a URL, with imgproxy's defaults.
package struct RenditionOptions: Hashable, Sendable {
    /// The facts that the URL asks for in place of a file, or `nil` if it asks for a file.
    package var info: InfoOptions?

    // MARK: Size

    package var resizing = Resizing.fit
    /// The target size in pixels, before ``dpr`` and zoom. A side of 0 follows from the other side and the image.
    package var width = 0
    package var height = 0
    package var minWidth = 0
    package var minHeight = 0
    package var zoomX = 1.0
    package var zoomY = 1.0
    package var dpr = 1.0
    package var enlarges = false

    // MARK: Area

    package var gravity = Anchor.center
    package var crop: Crop?
    package var trim: Trim?
    package var extend: Anchor?
    package var extendAspectRatio: Anchor?
    package var padding: Padding?

    // MARK: Orientation

    package var turnsUpright = true
    /// The number of clockwise quarter turns, from 0 to 3.
    package var quarterTurns = 0
    package var flipsHorizontally = false
    package var flipsVertically = false

    // MARK: Pixels

    package var background: ImageColor?
    /// The opacity of ``background``, from 0 to 1.
    package var backgroundAlpha = 1.0
    /// The change of brightness, from -255 to 255.
    package var brightness = 0
    package var contrast = 1.0
    package var saturation = 1.0
    /// The sigmas of blurring and sharpening, in pixels. 0 turns the filter off.
    package var blur = 0.0
    package var sharpen = 0.0
    /// The side of the squares of one color into which the image is divided, in pixels. 0 turns the filter off.
    package var pixelate = 0
    package var watermark: Watermark?

    // MARK: File

    /// The format of the file. If `nil`, the client's Accept decides.
    package var format: RenditionFormat?
    /// Whether the image decides, too, if there is no ``format``: the format `best` of URLs.
    package var choosesByContent = false
    /// The quality from 1 to 100. If 0, the quality in ``qualities`` or the format's default applies.
    package var quality = 0
    package var qualities: [RenditionFormat: Int] = [:]
    /// The size limit of the file in bytes, or 0 for no limit.
    package var maxBytes = 0
    /// The rule by which the quality of a lossy still image is chosen. If `nil`, ``quality`` and ``qualities`` name it.
    package var autoQuality: AutoQuality?
    package var jpeg = JPEGOptions()
    package var png = PNGOptions()
    package var isLosslessWebP = false
    package var disablesAnimation = false
    /// Whether the file contains the author and the copyright from its source.
    package var keepsCredits = true
    /// Whether results keep the gain map of their source, even if the server drops others.
    package var keepsGainMap = false
    /// Whether JPEG files lack the sRGB profile.
    package var stripsProfile = true
    package var isRaw = false
    /// The formats of sources that are sent unchanged.
    package var unprocessed: Set<RenditionSourceFormat> = []
    package var cacheBuster: ByteString = ""

    // MARK: Source

    package var hashsum: Hashsum?
    /// The URL of the image to use if the source fails.
    package var fallback: ByteString?

    // MARK: Limits, which can only lower those of the server

    /// The maximum number of pixels in the source.
    package var maxSourcePixels: Int?
    /// The maximum size of the source, in bytes.
    package var maxSourceBytes: Int?
    package var maxFrames: Int?
    /// The maximum number of pixels in a frame of an animation.
    package var maxFramePixels: Int?
    /// The longest side of the result, in pixels.
    package var maxResultSide: Int?

    // MARK: Delivery, which changes no byte of the file

    /// The time after which the URL is invalid, in seconds since 1970.
    package var expires: Int?
    package var fileName: ByteString?
    package var isAttachment = false
    /// The operator's own tags of the answer, for caches in front of the server.
    package var tags: [ByteString] = []

    // MARK: While a URL is parsed

    /// The arguments so far of options that can be switched off. A later option of the same name replaces those that it
    /// names, and keeps the others.
    package var given = Given()

    package init() {}

    /// The largest file that the options permit, in bytes, or `nil` for no limit.
    package var byteLimit: Int? {
        let limit = maxBytes > 0 ? maxBytes : nil
        guard let autoQuality, case .size(let bytes) = autoQuality.goal else { return limit }
        return min(bytes, limit ?? bytes)
    }

    package struct Given: Hashable, Sendable {
        package var crop = Crop(width: 0, height: 0)
        package var trim = Trim()
        package var extend = Anchor.center
        package var extendAspectRatio = Anchor.center
        package var watermark = Watermark(opacity: 0)
    }

    /// The rules by which an image is fitted into ``width`` and ``height``.
    package enum Resizing: String, CaseIterable, Sendable {
        case fit, fill, force, auto
        case fillDown = "fill-down"
    }

    /// A position in an image or on a canvas.
    package struct Anchor: Hashable, Sendable {
        package var place: Place
        /// The offset from the edges of ``place``, or from the center: in pixels if it is at least 1 or at most -1,
        /// otherwise as a fraction of the side. For `focus`, the position of the point, as a fraction of the side; for
        /// `tiles`, the space between two tiles.
        package var x = 0.0
        package var y = 0.0

        package static let center = Anchor(place: .center)
    }

    package enum Place: String, CaseIterable, Sendable {
        case center = "ce"
        case north = "no"
        case south = "so"
        case east = "ea"
        case west = "we"
        case northEast = "noea"
        case northWest = "nowe"
        case southEast = "soea"
        case southWest = "sowe"
        case smart = "sm"
        case focus = "fp"
        /// For a watermark only: it is repeated as tiles, with one tile in the center.
        case tiles = "re"
    }

    package struct Crop: Hashable, Sendable {
        /// The size: in pixels if at least 1, as a fraction of the image's side if below 1; 0 means the whole side.
        package var width: Double
        package var height: Double
        /// The position of the crop. If `nil`, ``gravity`` applies.
        package var anchor: Anchor?
    }

    package struct Trim: Hashable, Sendable {
        package var tolerance = 10.0
        /// The color of the border. If `nil`, the color of the top left pixel.
        package var color: ImageColor?
        package var isEqualHorizontally = false
        package var isEqualVertically = false
    }

    package struct Padding: Hashable, Sendable {
        package var top = 0
        package var right = 0
        package var bottom = 0
        package var left = 0

        package init(top: Int = 0, right: Int = 0, bottom: Int = 0, left: Int = 0) {
            (self.top, self.right, self.bottom, self.left) = (top, right, bottom, left)
        }
    }

    package struct Watermark: Hashable, Sendable {
        package var opacity: Double
        package var anchor = Anchor.center
        /// The size of the box into which the watermark is fitted, as a fraction of the result's size. 0 keeps the
        /// watermark's own size.
        package var scale = 0.0
    }

    /// The digest that the bytes of the source must have.
    package struct Hashsum: Hashable, Sendable {
        package let kind: SourceDigest
        /// The digest in lower-case hexadecimal digits.
        package let digest: ByteString
    }

    package struct JPEGOptions: Hashable, Sendable {
        package var isProgressive = false
        package var keepsColors = false
    }

    package struct PNGOptions: Hashable, Sendable {
        package var isInterlaced = false
        /// Whether images that keep their look in ``colors`` have no more.
        package var isQuantized = false
        /// From 2 to 256.
        package var colors = 256
    }
}

/// The qualities among which one is chosen, and what the file must reach.
package struct AutoQuality: Hashable, Sendable {
    package enum Goal: Hashable, Sendable {
        /// The highest quality whose file is not larger, in bytes.
        case size(Int)
        /// The quality whose file looks as much like its image, in points of SSIMULACRA2.
        case score(Double)
    }

    package var goal: Goal
    package var qualities: ClosedRange<Int>
    /// The difference to a score that does not matter, in points.
    package var error = 1.0

    package init(_ goal: Goal, qualities: ClosedRange<Int>, error: Double = 1) {
        (self.goal, self.qualities, self.error) = (goal, qualities, error)
    }
}

/// A format that the server writes.
package enum RenditionFormat: String, CaseIterable, Sendable {
    case jpeg, png, webp, avif
    #if JPEGXL
        case jxl
    #endif

    /// The names of all formats in URLs, with commas between them.
    static let names = allCases.map { $0 == .jpeg ? "jpg" : $0.rawValue }.joined(separator: ", ")

    package init?(extension name: ByteString) {
        self.init(rawValue: name == "jpg" ? "jpeg" : name.string)
    }

    package var imageFormat: ImageFormat { ImageFormat(rawValue: rawValue) }

    /// The quality that imgproxy uses by default.
    package var defaultQuality: Int {
        switch self {
        case .jpeg, .png: 80
        case .webp: 79
        case .avif: 63
        #if JPEGXL
            case .jxl: 77
        #endif
        }
    }
}

/// A format of a source that may be sent unchanged.
package enum RenditionSourceFormat: String, CaseIterable, Sendable {
    case jpeg, png, webp, avif, gif, svg, jxl

    /// The names of all formats in URLs, with commas between them.
    static let names = allCases.map { $0 == .jpeg ? "jpg" : $0.rawValue }.joined(separator: ", ")

    package init?(extension name: ByteString) {
        self.init(rawValue: name == "jpg" ? "jpeg" : name.string)
    }
}
