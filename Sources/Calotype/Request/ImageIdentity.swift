package import CalotypeCodecs
import CalotypeMemory

/// The identity of a request within a loader: requests with equal identities load the same image in the same way.
///
/// Two requests for one URL with different header fields differ; two that differ only in priority do not. A view
/// compares identities to decide whether to load again.
package struct ImageIdentity: Hashable, Sendable {
    private let flight: ImageFlightKey

    /// - Parameter generation: A number that changes with each removal and cancellation, so that requests from before
    ///   and after share no load. The default is 0, for callers that only compare images.
    init(_ request: ImageRequest, _ keys: ImageKeys, generation: UInt64 = 0) {
        flight = ImageFlightKey(
            image: keys.image, policy: request.rules, caching: request.caching, directives: keys.directives,
            unique: generation)
    }

    /// The image's key in the caches: source, size and steps, with a digest in place of the header fields.
    package var cacheKey: String { flight.image.text.string }
}

package struct MemoryLook: Sendable {
    package let identity: ImageIdentity
    /// The image, if it may be shown without revalidation.
    package var bitmap: Bitmap?
    /// The stale image, to show until the origin has confirmed or replaced it.
    package var expired: Bitmap?
    /// The same image at another size, of any age.
    package var otherSize: Bitmap?
    /// A preview of the image, from a load that has failed or has not finished yet.
    package var preview: ImagePreview?
}

extension ImageLoader {
    package func identity(of request: ImageRequest) -> ImageIdentity {
        ImageIdentity(request, keys(of: complete(request)))
    }

    package func look(for request: ImageRequest) -> MemoryLook {
        let request = complete(request)
        return look(for: request, keys(of: request))
    }

    /// - Parameter request: A request completed with the loader's defaults.
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
