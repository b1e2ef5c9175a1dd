public import Calotype
public import CalotypeCodecs

/// A cache of an application's own, asked before the loader's memory and filled after it.
///
/// Called on the main actor, when a view asks for a picture: it has to answer at once. Its limits are its own affair.
public protocol RemoteImageCache: Sendable {
    func object(forKey key: String) -> Bitmap?
    func setObject(_ object: Bitmap, forKey key: String)
    func removeObject(forKey key: String)
    func removeAllObjects()
}

/// Names a request's picture in a ``RemoteImageCache``. By default the loader's own key: URL, identity, size and steps.
public typealias RemoteImageCacheKeyProvider = @Sendable (ImageRequest) -> String
