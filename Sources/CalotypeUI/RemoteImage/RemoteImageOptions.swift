public import Calotype
public import CalotypeCodecs

/// The options of a view for loading and showing its images.
public struct RemoteImageOptions: Sendable {
    /// The loader of the images. The default is `ImageLoader.shared`.
    public var loader: ImageLoader
    /// A cache that views check before the loader and fill afterwards. If `nil` (the default), there is none.
    public var cache: (any RemoteImageCache)?
    /// Returns the key of an image in `cache`. If `nil` (the default), the loader's own key is used.
    public var cacheKeyProvider: RemoteImageCacheKeyProvider?
    /// The queue in which loads wait while a list scrolls. If `nil` (the default), they start at once.
    public var idleQueue: IdleQueue?
    /// The treatment of a load whose view has left the screen. The default is `cancels`.
    public var disappearance = Disappearance.cancels

    /// Whether a view that gets another request keeps its current image until the new one, or a preview of it, arrives.
    ///
    /// If `false` (the default), the view shows the new request's placeholder in the meantime. After a failure it keeps
    /// nothing. The rows of a list never keep an image, because a reused row would show another row's: views with an
    /// ``idleQueue``, and the tiles of a grid.
    public var keepsImageWhileLoading = false

    /// The previews that views show while an image arrives, for requests that do not set their own.
    ///
    /// The default is `.scans` for bodies of at least 100,000 bytes.
    public var previews = ImagePreviews.scans.forBodies(ofAtLeast: 100_000)
    /// The number of times that animations play, and the memory for their frames. The default is `automatic`.
    public var plays = AnimationPlayback.automatic
    var animationClock: any Clock<Duration> = ContinuousClock()
    /// Whether the system's settings allow animations now.
    var allowsAnimation: @MainActor @Sendable () -> Bool = { AnimationPermission.isGranted() }

    /// The strings that the GTK views show or pass to assistive technologies. The defaults are in English. SwiftUI
    /// views use the environment's `remoteImageTexts` instead.
    public var texts = RemoteImageTexts()

    /// Called with each image that a view shows, for statistics.
    public var observer: (@MainActor @Sendable (LoadedImage) -> Void)?

    /// Creates options with a loader and the documented defaults.
    public init(loader: ImageLoader = .shared) {
        self.loader = loader
    }

    /// The treatment of a load whose view has left the screen. Values may be added.
    public struct Disappearance: Hashable, Sendable {
        private let tag: UInt8

        /// The load is cancelled, and starts again when the view returns.
        public static let cancels = Disappearance(tag: 0)
        /// The load continues after all others, and regains its priority when the view returns. A load that still waits
        /// in ``idleQueue`` is cancelled in any case.
        public static let lowersPriority = Disappearance(tag: 1)
    }
}
