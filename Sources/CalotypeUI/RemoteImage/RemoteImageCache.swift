public import Calotype
public import CalotypeCodecs

/// A cache of an application's own, asked before the loader's memory and filled after it.
///
/// Called on the main actor, when a view asks for an image: it has to answer at once. Its limits are its own affair.
public protocol RemoteImageCache: Sendable {
    /// Returns the image of a key, or nil.
    func object(forKey key: String) -> Bitmap?
    /// Stores the image of a key.
    func setObject(_ object: Bitmap, forKey key: String)
    /// Removes the image of a key.
    func removeObject(forKey key: String)
    /// Removes every image.
    func removeAllObjects()
}

/// Names a request's image in a ``RemoteImageCache``. By default the loader's own key: URL, identity, size and steps.
public typealias RemoteImageCacheKeyProvider = @Sendable (ImageRequest) -> String
