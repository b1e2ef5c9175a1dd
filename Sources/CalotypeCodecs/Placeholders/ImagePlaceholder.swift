/// A placeholder shown until the image arrives, made from a few bytes delivered with its URL.
///
/// ```swift
/// request.placeholder = .blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
/// ```
public struct ImagePlaceholder: Hashable, Sendable {
    private indirect enum Kind: Hashable, Sendable {
        case blurHash(BlurHash, PixelSize)
        case thumbHash(ThumbHash)
        case color(ImageColor)
        case nothing
    }

    private let kind: Kind

    /// A BlurHash. An invalid hash shows nothing.
    ///
    /// - Parameter aspectRatio: The image's width divided by its height, which the hash lacks. The default is 1.
    public static func blurHash(_ text: String, aspectRatio: Double = 1) -> ImagePlaceholder {
        let ratio = aspectRatio.isFinite && aspectRatio > 0 ? aspectRatio : 1
        let size = PixelSize(
            width: max(1, Int((32 * min(ratio, 1)).rounded())), height: max(1, Int((32 / max(ratio, 1)).rounded())))
        return ImagePlaceholder(kind: BlurHash(text).map { .blurHash($0, size) } ?? .nothing)
    }

    /// A ThumbHash in Base64. An invalid hash shows nothing.
    public static func thumbHash(_ base64: String) -> ImagePlaceholder {
        ImagePlaceholder(kind: ThumbHash(base64: base64).map { .thumbHash($0) } ?? .nothing)
    }

    /// A single color, such as `Bitmap.averageColor`.
    public static func color(_ color: ImageColor) -> ImagePlaceholder { ImagePlaceholder(kind: .color(color)) }

    /// The placeholder as a small bitmap, to be scaled to the image's size; `nil` for an invalid hash. Decoding takes
    /// less than 0.1 ms.
    public var bitmap: Bitmap? {
        switch kind {
        case .blurHash(let hash, let size): try? hash.bitmap(size)
        case .thumbHash(let hash): try? hash.bitmap()
        case .color(let color):
            try? Bitmap(drawing: .init(width: 1, height: 1), hasAlpha: color.alpha < 255) { _ in color.premultiplied }
        case .nothing: nil
        }
    }
}
