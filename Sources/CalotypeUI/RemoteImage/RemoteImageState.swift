public import Calotype
public import CalotypeCodecs

/// The state of a view of a remote image.
public enum RemoteImageState: Hashable, Sendable {
    /// The image is loading, or waits to be loaded. Also the state of a view without a request.
    ///
    /// - Parameters:
    ///   - progress: The progress of the download, or `nil` before the first bytes.
    ///   - preview: The bitmap to show until the image arrives: a preview, another size of the image in memory, the
    ///     request's placeholder or, during a revalidation or a reload, the old image; with
    ///     ``RemoteImageOptions/keepsImageWhileLoading``, also the image of the request before.
    case loading(progress: LoadProgress? = nil, preview: LoadedImage? = nil)
    /// The image has been loaded.
    case image(LoadedImage)
    /// The load has failed.
    case error(ImageError)

    /// The image, or `nil` in the other states.
    public var image: LoadedImage? {
        if case .image(let image) = self { image } else { nil }
    }

    /// The image or, while it loads, its preview; otherwise `nil`.
    public var visibleImage: LoadedImage? {
        if case .loading(_, let preview) = self { preview } else { image }
    }

    /// The failure, or `nil` in the other states.
    public var error: ImageError? {
        if case .error(let error) = self { error } else { nil }
    }

    /// Whether the image has yet to arrive.
    public var isLoading: Bool {
        if case .loading = self { true } else { false }
    }
}

/// An image that a view shows: the requested image, or a preview, another size or a placeholder until it arrives.
public struct LoadedImage: Sendable {
    /// The decoded image.
    public let bitmap: Bitmap
    /// The nearest layer that had the image, such as memory, the disk or the network.
    public let origin: ImageResponse.Origin
    /// `true` if the image needs no transition: it was in memory when the view requested it, or was visible already.
    public let wasCached: Bool
    /// For a preview, the size of an image with the same detail; otherwise `nil`.
    var detail: PixelSize?
    /// Whether the image belongs to an earlier request, and only fills the view until the next image arrives.
    var isOfEarlierRequest = false

    /// Creates an image, for the state of a custom ``RemoteImageService``.
    public init(bitmap: Bitmap, origin: ImageResponse.Origin, wasCached: Bool = false) {
        self.bitmap = bitmap
        self.origin = origin
        self.wasCached = wasCached
    }

    init(_ preview: ImagePreview, origin: ImageResponse.Origin, wasCached: Bool = false) {
        self.init(bitmap: preview.bitmap, origin: origin, wasCached: wasCached)
        detail = preview.detail
    }

    var cached: LoadedImage {
        var image = LoadedImage(bitmap: bitmap, origin: origin, wasCached: true)
        image.detail = detail
        image.isOfEarlierRequest = isOfEarlierRequest
        return image
    }

    /// The same image for a view whose request has changed.
    var kept: LoadedImage {
        var image = LoadedImage(bitmap: bitmap, origin: origin, wasCached: true)
        image.isOfEarlierRequest = true
        return image
    }
}

/// Two images are equal if they share their pixels, `origin` and `wasCached`, and if both or neither are the image of an
/// earlier request. Pixels are not compared.
extension LoadedImage: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.bitmap.isIdentical(to: right.bitmap) && left.origin == right.origin && left.wasCached == right.wasCached
            && left.isOfEarlierRequest == right.isOfEarlierRequest
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(bitmap.identity)
        hasher.combine(origin)
        hasher.combine(wasCached)
        hasher.combine(isOfEarlierRequest)
    }
}
