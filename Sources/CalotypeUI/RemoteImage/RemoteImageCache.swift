public import Calotype
public import CalotypeCodecs

/// An application's cache, which views check before the loader's memory and fill after each load.
///
/// Views call it on the main actor: its methods must return at once. The cache sets its own limits.
public protocol RemoteImageCache: Sendable {
    /// Returns the image of a key, or `nil` if it has no such image.
    func object(forKey key: String) -> Bitmap?
    /// Stores the image of a key.
    func setObject(_ object: Bitmap, forKey key: String)
    /// Removes the image of a key.
    func removeObject(forKey key: String)
    /// Removes every image.
    func removeAllObjects()
}

/// A function that returns a request's key in a ``RemoteImageCache``. The default is the loader's own key.
public typealias RemoteImageCacheKeyProvider = @Sendable (ImageRequest) -> String
