/// The facts about an image that a URL of the kind `/info/` asks for, with imgproxy's defaults.
package struct InfoOptions: Hashable, Sendable {
    // MARK: From the header, and on unless a URL turns them off

    /// Whether the number of bytes is asked for.
    package var size = true
    package var format = true
    /// Whether width, height and orientation are asked for.
    package var dimensions = true
    /// Whether camera, date, author and copyright are asked for.
    package var exif = true

    // MARK: From the header

    /// Whether the place where the photo was taken is asked for, too.
    package var place = false
    /// Whether the number of frames is asked for.
    package var frames = false
    package var duration = false
    package var alpha = false
    /// Whether the number of bits of each stored sample is asked for.
    package var bits = false
    /// Whether the coding of the pixels is asked for, and whether it is progressive.
    package var coding = false
    /// Whether the name of the color space is asked for.
    package var profile = false
    package var hdr = false
    /// Whether to look for content credentials.
    package var credentials = false
    /// Whether to look for damage that the structure of the file shows.
    package var damage = false

    // MARK: From the pixels

    /// The maximum number of colors in the palette, from 2 to 256, or 0 for no palette.
    package var palette = 0
    package var average: Average?
    package var dominantColors: DominantColors?
    package var blurHash: Components?
    package var thumbHash = false

    // MARK: From all bytes

    package var digests: Set<SourceDigest> = []

    package init() {}

    /// Whether the pixels are needed. If `false`, the header suffices.
    package var needsPixels: Bool {
        palette > 0 || average != nil || dominantColors != nil || blurHash != nil || thumbHash
    }

    /// All facts that the header tells, but for the place.
    package static let ofHeader: InfoOptions = {
        var options = InfoOptions()
        (options.frames, options.duration, options.alpha, options.bits) = (true, true, true, true)
        (options.coding, options.profile, options.hdr) = (true, true, true)
        (options.credentials, options.damage) = (true, true)
        return options
    }()

    /// How the average color is computed.
    package struct Average: Hashable, Sendable {
        /// Whether fully transparent pixels do not count.
        package var ignoresTransparent = true
    }

    package struct DominantColors: Hashable, Sendable {
        /// Whether colors that the image lacks are derived from those that it has.
        package var buildsMissing = false
    }

    /// The numbers of components of a BlurHash, each from 1 to 9.
    package struct Components: Hashable, Sendable {
        package let across: Int
        package let down: Int
    }
}
