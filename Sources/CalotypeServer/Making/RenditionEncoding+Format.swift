import CalotypeCodecs
import CalotypeURLs

/// The choice of a result's format: by the URL, by the formats that the client accepts, and by the image.
extension RenditionEncoding {
    /// Returns the format that the URL names, or the best format that the client accepts; for an image with a gain map, the best one
    /// whose files have it. Without both, a PNG stays a PNG, as in imgproxy, and an image with transparency becomes one; with
    /// `best`, only drawings and transparent images do.
    func format(of bitmap: Bitmap) -> RenditionFormat {
        if options.format == nil, keepsGainMap(of: bitmap) { return bestWithGainMap(bitmap.size) }
        if let format = options.format ?? bestAccepted(bitmap.size) { return format }
        let staysPNG = bitmap.hadAlpha || bitmap.sourceFormat == .png
        let isPhotograph = options.choosesByContent && !isGraphic
        return staysPNG && !(isPhotograph && bitmap.isOpaque) ? .png : .jpeg
    }

    /// Returns the formats that a lossy file, or a PNG, may have.
    func candidates(for size: PixelSize) -> [RenditionFormat] {
        let withMap = gainMapSide == nil || options.format != nil ? [] : [bestWithGainMap(size)]
        return withMap + ((options.format ?? bestAccepted(size)).map { [$0] } ?? [.png, .jpeg])
    }

    /// The shortest longer side of results in which a gain map is seen, in pixels.
    static let leastGainMapSide = 400

    /// The shortest longer side of results that keep a gain map, in pixels; `nil` if none does.
    var gainMapSide: Int? {
        let isKept = keepsGainMaps || options.keepsGainMap
        return isKept && mayHaveGainMap ? Self.leastGainMapSide : nil
    }

    /// Whether the file may have a format in which a gain map is written.
    var mayHaveGainMap: Bool { options.format.map(Self.withGainMap.contains) ?? true }

    /// The formats in which a gain map is written, the one of the smallest files first.
    private static let withGainMap: [RenditionFormat] = [.avif, .jpeg]

    /// Returns whether the file of an image has the image's gain map.
    func keepsGainMap(of bitmap: Bitmap) -> Bool {
        guard bitmap.gainMap != nil, let side = gainMapSide else { return false }
        return max(bitmap.width, bitmap.height) >= side
    }

    /// Whether a canvas that the options add becomes white. It stays transparent if the URL names the format, and if the
    /// result would be a PNG without it: a JPEG would be one of four times the bytes, and look different from a client that
    /// accepts WebP to one that does not.
    func isOnWhite(_ bitmap: Bitmap) -> Bool {
        options.format == nil && bitmap.hasAlpha && !bitmap.hadAlpha && bitmap.sourceFormat != .png
    }

    var acceptsWebP: Bool { accepts(.webp) }

    /// Whether the file may have a format that the client must accept.
    func mayBe(_ format: RenditionFormat) -> Bool {
        options.format == format || options.format == nil && accepts(format)
    }

    private func accepts(_ format: RenditionFormat) -> Bool { accepted?.formats.contains(format) ?? false }

    /// The best format that the client accepts.
    private func bestAccepted(_ size: PixelSize) -> RenditionFormat? {
        accepted?.formats.first { isQuick($0, for: size) }
    }

    /// The best format with a gain map that the client accepts. Every client accepts JPEG.
    private func bestWithGainMap(_ size: PixelSize) -> RenditionFormat {
        Self.withGainMap.first { accepts($0) && isQuick($0, for: size) } ?? .jpeg
    }

    /// AVIF takes too long for large images.
    private func isQuick(_ format: RenditionFormat, for size: PixelSize) -> Bool {
        format != .avif || size.width * size.height <= 1_000_000
    }

    /// Whether an animated source becomes an animation. That needs WebP: named by the URL, or accepted by the client if
    /// the URL names no format.
    var keepsMotion: Bool {
        guard !options.disablesAnimation, options.maxFrames != 1 else { return false }
        return options.format == .webp || options.format == nil && acceptsWebP
    }
}
