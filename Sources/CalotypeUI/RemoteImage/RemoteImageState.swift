public import Calotype
public import CalotypeCodecs

/// The state of a view of a remote image: exactly one of three.
public enum RemoteImageState: Hashable, Sendable {
    /// The image is on its way, or waits to be asked for. The state of a view that was given no request, too.
    ///
    /// - Parameters:
    ///   - progress: how far the download is; nil as long as nothing has come.
    ///   - preview: something to show until then: what has come of the image, another size of it that was in memory, or the
    ///     image itself past its freshness, of which its origin is asked whether it still holds.
    case loading(progress: LoadProgress? = nil, preview: LoadedImage? = nil)
    /// The image is there.
    case image(LoadedImage)
    /// The load has failed.
    case error(ImageError)

    /// The image; nil in the other states.
    public var image: LoadedImage? {
        if case .image(let image) = self { image } else { nil }
    }

    /// The image that a view shows: the image itself, or the preview while it loads. `nil` if there is neither.
    public var visibleImage: LoadedImage? {
        if case .loading(_, let preview) = self { preview } else { image }
    }

    /// The failure; nil in the other states.
    public var error: ImageError? {
        if case .error(let error) = self { error } else { nil }
    }

    /// A Boolean value indicating whether the image is still to come.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }
}

/// An image for a view.
public struct LoadedImage: Sendable {
    /// The decoded image.
    public let bitmap: Bitmap
    /// The nearest layer that had it.
    public let origin: ImageResponse.Origin
    /// A Boolean value indicating whether it was in memory when the view asked: then it was never missing, and wants no
    /// transition.
    public let wasAtHand: Bool
    /// Of a preview: the size of the image that shows as much detail. `nil` if the bitmap has the detail of its pixels.
    var detail: PixelSize?

    /// Creates a loaded image, for services.
    public init(bitmap: Bitmap, origin: ImageResponse.Origin, wasAtHand: Bool = false) {
        self.bitmap = bitmap
        self.origin = origin
        self.wasAtHand = wasAtHand
    }

    /// Creates what is shown of an image until it is there. A part of it has no more detail than a placeholder.
    init(_ preview: ImagePreview, origin: ImageResponse.Origin, wasAtHand: Bool = false) {
        self.init(bitmap: preview.bitmap, origin: origin, wasAtHand: wasAtHand)
        detail = preview.coversImage ? preview.detail : PixelSize(width: 0, height: 0)
    }

    /// The same for a view that asks again.
    var atHand: LoadedImage {
        var image = LoadedImage(bitmap: bitmap, origin: origin, wasAtHand: true)
        image.detail = detail
        return image
    }
}

/// Equal where they share their pixels and came the same way. Pixels are not compared.
extension LoadedImage: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.bitmap.isIdentical(to: right.bitmap) && left.origin == right.origin && left.wasAtHand == right.wasAtHand
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(bitmap.identity)
        hasher.combine(origin)
        hasher.combine(wasAtHand)
    }
}
