import CalotypeCodecs
import CalotypeURLs

/// The choice of a result's format: by the URL, by the formats that the client accepts, and by the image.
extension RenditionEncoding {
    /// Returns the format that the URL names, or the best format that the client accepts. Without both, a PNG stays a
    /// PNG, as in imgproxy, and an image with transparency becomes one; with `best`, only drawings and transparent images do.
    func format(of bitmap: Bitmap) -> RenditionFormat {
        if let format = options.format { return format }
        if acceptsAVIF, isQuickAVIF(bitmap.size) { return .avif }
        if acceptsWebP { return .webp }
        let staysPNG = bitmap.hadAlpha || bitmap.sourceFormat == .png
        let isPhotograph = options.choosesByContent && !isGraphic
        return staysPNG && !(isPhotograph && bitmap.isOpaque) ? .png : .jpeg
    }

    /// Returns the formats that a lossy file, or a PNG, may have.
    func candidates(for size: PixelSize) -> [RenditionFormat] {
        if let format = options.format { return [format] }
        if acceptsAVIF, isQuickAVIF(size) { return [.avif] }
        return acceptsWebP ? [.webp] : [.png, .jpeg]
    }

    /// Whether a canvas that the options add becomes white. It stays transparent if the URL names the format, and if the
    /// result would be a PNG without it: a JPEG would be one of four times the bytes, and look different from a client that
    /// accepts WebP to one that does not.
    func isOnWhite(_ bitmap: Bitmap) -> Bool {
        options.format == nil && bitmap.hasAlpha && !bitmap.hadAlpha && bitmap.sourceFormat != .png
    }

    var acceptsWebP: Bool { accepted?.webp == true }
    private var acceptsAVIF: Bool { accepted?.avif == true }

    /// Whether the file may be an AVIF.
    var mayBeAVIF: Bool { options.format == .avif || options.format == nil && acceptsAVIF }

    /// Whether AVIF is quick enough: it takes too long for larger images.
    private func isQuickAVIF(_ size: PixelSize) -> Bool { size.width * size.height <= 1_000_000 }

    /// Whether an animated source becomes an animation. That needs WebP: named by the URL, or accepted by the client if
    /// the URL names no format.
    var keepsMotion: Bool {
        guard !options.disablesAnimation, options.maxFrames != 1 else { return false }
        return options.format == .webp || options.format == nil && acceptsWebP
    }
}
