import CalotypeBase
import CalotypeCodecs

/// What a URL asks for, with imgproxy's defaults.
package struct RenditionOptions: Hashable, Sendable {
    // MARK: Size

    var resizing = Resizing.fit
    /// In pixels before ``dpr`` and zoom; 0 follows from the other side.
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
    /// Clockwise quarter turns, 0 to 3.
    var quarterTurns = 0
    var flipsHorizontally = false
    var flipsVertically = false

    // MARK: Pixels

    var background: ImageColor?
    /// From 0 to 1.
    var backgroundAlpha = 1.0
    /// From -255 to 255.
    var brightness = 0
    var contrast = 1.0
    var saturation = 1.0
    /// Sigmas in pixels; 0 is off.
    var blur = 0.0
    var sharpen = 0.0
    /// The side of a square in pixels; 0 is off.
    var pixelate = 0
    var watermark: Watermark?

    // MARK: File

    /// `nil` leaves the choice to the client's Accept.
    var format: RenditionFormat?
    /// From 1 to 100, or 0 for the format's own.
    var quality = 0
    var qualities: [RenditionFormat: Int] = [:]
    /// The largest file in bytes, or 0 for no limit.
    var maxBytes = 0
    var jpeg = JPEGOptions()
    var isLosslessWebP = false
    var disablesAnimation = false
    /// Whether the file carries the author and the copyright that its source states.
    var keepsCredits = true
    var isRaw = false
    /// Source formats that are sent unchanged.
    var unprocessed: Set<RenditionSourceFormat> = []
    var cacheBuster: ByteString = ""

    // MARK: Source

    var hashsum: Hashsum?
    /// The URL of the image in place of a source that fails.
    var fallback: ByteString?

    // MARK: Limits: a URL can only lower the server's.

    /// In pixels.
    var maxSourcePixels: Int?
    /// In bytes.
    var maxSourceBytes: Int?
    var maxFrames: Int?
    /// In pixels.
    var maxFramePixels: Int?
    /// The longest side of the result in pixels.
    var maxResultSide: Int?

    // MARK: Delivery, which changes no byte of the file

    /// Seconds since 1970.
    var expires: Int?
    var fileName: ByteString?
    var isAttachment = false

    package init() {}

    /// The rules by which an image is fitted into ``width`` and ``height``.
    enum Resizing: String, CaseIterable, Sendable {
        case fit, fill, force, auto
        case fillDown = "fill-down"
    }

    /// A place in an image or on a canvas.
    struct Anchor: Hashable, Sendable {
        var place: Place
        /// The offset from the edges of ``place``, or from the center: in pixels if 1 or more, otherwise a fraction of the
        /// side. For `focus`, the fractions of the point; for `tiles`, the space between them.
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
        /// Of a watermark that repeats as tiles, the middle one in the center.
        case tiles = "re"
    }

    struct Crop: Hashable, Sendable {
        /// Pixels from 1 on, below that a fraction of the side, and 0 for the whole side.
        var width: Double
        var height: Double
        /// `nil` for the gravity of the result.
        var anchor: Anchor?
    }

    struct Trim: Hashable, Sendable {
        var tolerance = 10.0
        /// `nil` for the color of the top left pixel.
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
        /// A fraction of the result's size; 0 keeps the watermark's own.
        var scale = 0.0
    }

    /// The digest that a source has to have.
    struct Hashsum: Hashable, Sendable {
        let kind: SourceDigest
        /// In lower-case hexadecimal digits.
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
        guard let format = Self.allCases.first(where: { ByteString($0.rawValue) == name }) else {
            guard name == "jpg" else { return nil }
            self = .jpeg
            return
        }
        self = format
    }

    var imageFormat: ImageFormat { ImageFormat(rawValue: rawValue) }

    /// imgproxy's own defaults.
    var defaultQuality: Int {
        switch self {
        case .jpeg, .png: 80
        case .webp: 79
        case .avif: 63
        }
    }
}

/// A raster format that may be sent unchanged.
enum RenditionSourceFormat: String, CaseIterable, Sendable {
    case jpeg, png, webp, avif, gif

    init?(extension name: ByteString) {
        let name = name == "jpg" ? "jpeg" : name
        guard let format = Self.allCases.first(where: { ByteString($0.rawValue) == name }) else { return nil }
        self = format
    }
}
