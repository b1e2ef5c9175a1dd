public import Calotype
public import CalotypeCodecs

/// How a view loads its images, beyond its request.
public struct RemoteImageOptions: Sendable {
    /// The loader of the images. The default is `ImageLoader.shared`.
    public var loader: ImageLoader
    /// A cache that is asked before the loader and filled after it. The default is `nil`: the loader has its own memory.
    public var cache: (any RemoteImageCache)?
    /// Names images in `cache`. If `nil` (the default), the loader's own key does.
    public var cacheKeyProvider: RemoteImageCacheKeyProvider?
    /// Where misses wait while a list scrolls; one for all rows of a list. If `nil` (the default), they start at once.
    public var idleQueue: IdleQueue?
    /// The treatment of a load whose view has left the screen. The default is `cancels`.
    public var disappearance = Disappearance.cancels

    /// What views show of an image while its bytes come, for requests that do not say it themselves.
    ///
    /// The default is `.scans` for bodies of at least 100,000 bytes.
    public var previews = ImagePreviews.scans.forBodies(ofAtLeast: 100_000)
    /// How animations play. The default is ``AnimationPlayback/automatic``.
    public var plays = AnimationPlayback.automatic
    /// The clock that animations keep to.
    package var animationClock: any Clock<Duration> = ContinuousClock()
    /// Whether the system's settings allow animations now.
    package var allowsAnimation: @MainActor @Sendable () -> Bool = { AnimationPermission.isGranted() }

    /// The words that GTK's views show. The defaults are in English.
    public var texts = RemoteImageTexts()

    /// Called with each image that a view shows, for statistics.
    public var observer: (@MainActor @Sendable (LoadedImage) -> Void)?

    /// Creates options with a loader and the defaults that each property documents.
    public init(loader: ImageLoader = .shared) {
        self.loader = loader
    }

    /// The treatment of a load whose view has left the screen. Values may be added.
    public struct Disappearance: Hashable, Sendable {
        private let tag: UInt8

        /// The load ends, and starts again when the view is back.
        public static let cancels = Disappearance(tag: 0)
        /// The load goes on after all others, and gets its priority back with the view. One that still waits for the
        /// list to rest is withdrawn all the same.
        public static let lowersPriority = Disappearance(tag: 1)
    }
}
