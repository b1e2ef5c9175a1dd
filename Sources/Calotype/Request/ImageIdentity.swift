package import CalotypeCodecs
import CalotypeMemory

/// The identity of a request, as a loader sees it: equal identities show the same image, got the same way.
///
/// Two requests for one URL with different header fields differ; two that differ in priority alone do not. Views tell by it
/// whether they have to load again. Not public: what an application passes to `task(id:)` is its own model's identifier.
package struct ImageIdentity: Hashable, Sendable {
    private let flight: ImageFlightKey

    /// - Parameter generation: Different for requests from before and after a removal, which share no work. The default is 0,
    ///   for callers that compare images alone.
    init(_ request: ImageRequest, _ keys: ImageKeys, generation: UInt64 = 0) {
        flight = ImageFlightKey(
            image: keys.image, policy: request.rules, caching: request.caching, directives: keys.directives,
            unique: generation)
    }

    /// The caches' key of the image: source, size and steps, with a digest in place of secrets.
    package var cacheKey: String { flight.image.text.string }
}

/// The result of a look into memory for a request.
package struct MemoryLook: Sendable {
    package let identity: ImageIdentity
    /// The image, if it may be shown without asking anybody.
    package var bitmap: Bitmap?
    /// The same image past its freshness: good enough to look at until the origin has confirmed or replaced it.
    package var expired: Bitmap?
    /// The same image at another size, of any age.
    package var otherSize: Bitmap?
    /// A preview of the image, from a load that did not end well.
    package var preview: ImagePreview?
}

extension ImageLoader {
    /// Tells the request from others, by this loader's rules.
    package func identity(of request: ImageRequest) -> ImageIdentity {
        ImageIdentity(request, keys(of: complete(request)))
    }

    /// The identity and what memory has, for the price of one key.
    package func look(for request: ImageRequest) -> MemoryLook {
        let request = complete(request)
        return look(for: request, keys(of: request))
    }

    /// - Parameter request: A request that is complete.
    func look(for request: ImageRequest, _ keys: ImageKeys) -> MemoryLook {
        let identity = ImageIdentity(request, keys)
        if let image = pipeline.imageInMemory(for: request, keys) {
            return MemoryLook(identity: identity, bitmap: image.bitmap)
        }
        let memory = pipeline.memory
        if let expired = memory.imageOfAnyAge(for: request, keys) {
            return MemoryLook(identity: identity, expired: expired.bitmap)
        }
        return MemoryLook(
            identity: identity, otherSize: memory.otherSize(for: request, keys)?.bitmap,
            preview: memory.preview(for: request, keys))
    }
}
