import Calotype
import CalotypeCodecs

/// The image that a view is bound to: its identity in the loader, and its entry in the application's cache.
///
/// Two are equal only if both agree: one URL may be different images for two users, whose keys differ. Caches that are
/// structures have no identity, so that two of them count as one.
struct BoundImage: Hashable, Sendable {
    let identity: ImageIdentity
    private let cache: (any RemoteImageCache)?
    /// The key in the cache, or `nil` without a cache.
    private let key: String?

    init(_ request: ImageRequest, _ identity: ImageIdentity, in options: RemoteImageOptions) {
        self.identity = identity
        cache = options.cache
        key = options.cache.map { _ in options.cacheKeyProvider?(request) ?? identity.cacheKey }
    }

    var cachedBitmap: Bitmap? { key.flatMap { cache?.object(forKey: $0) } }

    func store(_ bitmap: Bitmap) {
        if let key { cache?.setObject(bitmap, forKey: key) }
    }

    static func == (left: Self, right: Self) -> Bool {
        left.identity == right.identity && left.key == right.key && left.cache?.object === right.cache?.object
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
        hasher.combine(key)
    }
}

extension RemoteImageCache {
    /// The cache as an object, or `nil` for a structure, which has no identity.
    var object: AnyObject? { type(of: self) is AnyClass ? self as AnyObject : nil }
}
