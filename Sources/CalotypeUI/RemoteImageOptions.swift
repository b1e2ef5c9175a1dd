public import Calotype

/// What a view's loading may be told, beyond its request.
public struct RemoteImageOptions: Sendable {
    /// What loads. ``ImageLoader/shared`` by default.
    public var loader: ImageLoader
    /// Asked before the loader and filled after it. None by default: the loader has a memory of its own.
    public var cache: (any RemoteImageCache)?
    /// Names pictures in `cache`. Nil, the default: the loader's own key.
    public var cacheKeyProvider: RemoteImageCacheKeyProvider?
    /// Where misses wait while a list scrolls; one for all rows of a list. None by default: they start at once.
    public var idleQueue: IdleQueue?
    /// What becomes of a load whose view has left the screen. `cancels` by default.
    public var disappearance = Disappearance.cancels

    /// Told of each picture that a view shows, for statistics.
    public var observer: (@MainActor @Sendable (LoadedImage) -> Void)?

    public init(loader: ImageLoader = .shared) {
        self.loader = loader
    }

    /// What becomes of a load whose view has left the screen. May grow.
    public struct Disappearance: Hashable, Sendable {
        private let tag: UInt8

        /// The load ends, and starts anew when the view is back.
        public static let cancels = Disappearance(tag: 0)
        /// The load goes on after all others, and gets its priority back with the view. One that still waits for the
        /// list to rest is withdrawn all the same.
        public static let lowersPriority = Disappearance(tag: 1)
    }
}
