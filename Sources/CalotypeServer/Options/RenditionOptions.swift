import CalotypeBase
import CalotypeCodecs

/// The options of a URL, with imgproxy's defaults.
package struct RenditionOptions: Hashable, Sendable {
    // MARK: Size

    var resizing = Resizing.fit
    /// The target size in pixels, before ``dpr`` and zoom. A side of 0 follows from the other side and the image.
    var width = 0
    var height = 0
    var minWidth = 0
    var minHeight = 0
    var zoomX = 1.0
    var zoomY = 1.0
    var dpr = 1.0
    var enlarges = false

    // MARK: Area

    var gravity = Anchor.center
    var crop: Crop?
    var trim: Trim?
    var extend: Anchor?
    var extendAspectRatio: Anchor?
    var padding: Padding?

    // MARK: Orientation

    var turnsUpright = true
    /// The number of clockwise quarter turns, from 0 to 3.
    var quarterTurns = 0
    var flipsHorizontally = false
    var flipsVertically = false

    // MARK: Pixels

    var background: ImageColor?
    /// The opacity of ``background``, from 0 to 1.
    var backgroundAlpha = 1.0
    /// The change of brightness, from -255 to 255.
    var brightness = 0
    var contrast = 1.0
    var saturation = 1.0
    /// The sigmas of blurring and sharpening, in pixels. 0 turns the filter off.
    var blur = 0.0
    var sharpen = 0.0
    /// The side of the squares of one color into which the image is divided, in pixels. 0 turns the filter off.
    var pixelate = 0
    var watermark: Watermark?

    // MARK: File

    /// The format of the file. If `nil`, the client's Accept decides.
    var format: RenditionFormat?
    /// The quality from 1 to 100. If 0, the quality in ``qualities`` or the format's default applies.
    var quality = 0
    var qualities: [RenditionFormat: Int] = [:]
    /// The size limit of the file in bytes, or 0 for no limit.
    var maxBytes = 0
    var jpeg = JPEGOptions()
    var isLosslessWebP = false
    var disablesAnimation = false
    /// Whether the file contains the author and the copyright from its source.
    var keepsCredits = true
    var isRaw = false
    /// The formats of sources that are sent unchanged.
    var unprocessed: Set<RenditionSourceFormat> = []
    var cacheBuster: ByteString = ""

    // MARK: Source

    var hashsum: Hashsum?
    /// The URL of the image to use if the source fails.
    var fallback: ByteString?

    // MARK: Limits, which can only lower those of the server

    /// The maximum number of pixels in the source.
    var maxSourcePixels: Int?
    /// The maximum size of the source, in bytes.
    var maxSourceBytes: Int?
    var maxFrames: Int?
    /// The maximum number of pixels in a frame of an animation.
    var maxFramePixels: Int?
    /// The longest side of the result, in pixels.
    var maxResultSide: Int?

    // MARK: Delivery, which changes no byte of the file

    /// The time after which the URL is invalid, in seconds since 1970.
    var expires: Int?
    var fileName: ByteString?
    var isAttachment = false

    // MARK: While a URL is parsed

    /// The arguments so far of options that can be switched off. A later option of the same name replaces those that it
    /// names, and keeps the others.
    var given = Given()

    package init() {}

    struct Given: Hashable, Sendable {
        var crop = Crop(width: 0, height: 0)
        var trim = Trim()
        var extend = Anchor.center
        var extendAspectRatio = Anchor.center
        var watermark = Watermark(opacity: 0)
    }

    /// The rules by which an image is fitted into ``width`` and ``height``.
    enum Resizing: String, CaseIterable, Sendable {
        case fit, fill, force, auto
        case fillDown = "fill-down"
    }

    /// A position in an image or on a canvas.
    struct Anchor: Hashable, Sendable {
        var place: Place
        /// The offset from the edges of ``place``, or from the center: in pixels if it is at least 1 or at most -1,
        /// otherwise as a fraction of the side. For `focus`, the position of the point, as a fraction of the side; for
        /// `tiles`, the space between two tiles.
        var x = 0.0
        var y = 0.0

        static let center = Anchor(place: .center)
    }

    enum Place: String, CaseIterable, Sendable {
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

    struct Crop: Hashable, Sendable {
        /// The size: in pixels if at least 1, as a fraction of the image's side if below 1; 0 means the whole side.
        var width: Double
        var height: Double
        /// The position of the crop. If `nil`, ``gravity`` applies.
        var anchor: Anchor?
    }

    struct Trim: Hashable, Sendable {
        var tolerance = 10.0
        /// The color of the border. If `nil`, the color of the top left pixel.
        var color: ImageColor?
        var isEqualHorizontally = false
        var isEqualVertically = false
    }

    struct Padding: Hashable, Sendable {
        var top = 0
        var right = 0
        var bottom = 0
        var left = 0
    }

    struct Watermark: Hashable, Sendable {
        var opacity: Double
        var anchor = Anchor.center
        /// The size of the box into which the watermark is fitted, as a fraction of the result's size. 0 keeps the
        /// watermark's own size.
        var scale = 0.0
    }

    /// The digest that the bytes of the source must have.
    struct Hashsum: Hashable, Sendable {
        let kind: SourceDigest
        /// The digest in lower-case hexadecimal digits.
        let digest: ByteString
    }

    struct JPEGOptions: Hashable, Sendable {
        var isProgressive = false
        var keepsColors = false
    }
}

/// A format that the server writes.
enum RenditionFormat: String, CaseIterable, Sendable {
    case jpeg, png, webp, avif

    init?(extension name: ByteString) {
        self.init(rawValue: name == "jpg" ? "jpeg" : name.string)
    }

    var imageFormat: ImageFormat { ImageFormat(rawValue: rawValue) }

    /// The quality that imgproxy uses by default.
    var defaultQuality: Int {
        switch self {
        case .jpeg, .png: 80
        case .webp: 79
        case .avif: 63
        }
    }
}

/// A raster format of a source that may be sent unchanged.
enum RenditionSourceFormat: String, CaseIterable, Sendable {
    case jpeg, png, webp, avif, gif

    init?(extension name: ByteString) {
        self.init(rawValue: name == "jpg" ? "jpeg" : name.string)
    }
}
