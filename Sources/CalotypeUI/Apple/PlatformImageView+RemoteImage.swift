public import Calotype
public import CalotypeCodecs
import ObjectiveC

#if canImport(UIKit)
    public import UIKit

    /// The image view of the platform's toolkit.
    public typealias PlatformImageView = UIImageView
#elseif canImport(AppKit)
    public import AppKit

    /// The image view of the platform's toolkit.
    public typealias PlatformImageView = NSImageView
#endif

extension PlatformImageView {
    /// Shows the image of a URL, a URLRequest or an ImageRequest.
    ///
    /// If the image is in memory, it is visible when this returns: before the view's first layout at any size,
    /// afterwards only at the view's size. If it is not, the view shows the placeholder until the image arrives, and
    /// keeps it after a failure. Images of earlier requests are discarded. The load does not retain the view.
    ///
    /// - Parameters:
    ///   - source: A URL, a URLRequest or an ImageRequest. If `nil`, the view loads nothing and shows the placeholder.
    ///   - placeholder: The image to show until the remote one, or a preview of it, arrives. The default is `nil`.
    ///   - sizesToView: Whether a request without a size is decoded at the size of the view, in pixels, if the view
    ///     scales its image. The load then waits for the first layout. The default is `true`.
    ///   - showsProgress: Whether a spinner appears in the middle of the view during a load. The default is `false`.
    ///   - queue: One queue for all rows of a list. While the list scrolls, images in memory still appear, but loads
    ///     wait until it stops; report scrolling with ``IdleQueue/noteScroll()``. The default is `nil`.
    ///   - plays: How an animation plays, unless the system reduces motion. By default as its file specifies.
    ///   - keepsImageWhileLoading: Whether the view keeps its current image until the new one, or a preview of it, arrives,
    ///     in place of the placeholder. The default is `false`. Ignored with a `queue`; a cell of a list without one calls
    ///     ``prepareRemoteImageForReuse()``, after which nothing is kept.
    ///   - loader: The loader of the image. The default is ``ImageLoader/shared``.
    ///   - cache: A cache that the view checks before the loader and fills afterwards, for this call and its load. The
    ///     default is `nil`.
    ///   - completion: Called once, on the main actor: with the image or the failure, or with `cancelled` if the load
    ///     was cancelled or another image was set. For an image in memory at the view's size, it is called before this
    ///     returns.
    ///   - cacheKeyProvider: Returns the key of an image in `cache`, for this call. If `nil` (the default), the loader's
    ///     key is used. For an image that the view already shows under another key, the view loads again.
    @MainActor
    public func setRemoteImage(
        _ source: (any RemoteImageSource)?, placeholder: UniversalImage? = nil, sizesToView: Bool = true,
        showsProgress: Bool = false,
        startsWhenIdle queue: IdleQueue? = nil, plays: AnimationPlayback = .automatic,
        keepsImageWhileLoading: Bool = false,
        loader: ImageLoader = .shared, cache: (any RemoteImageCache)? = nil,
        completion: (@MainActor (Result<Bitmap, ImageError>) -> Void)? = nil,
        // After `completion`, so that a trailing closure becomes the completion.
        cacheKeyProvider: RemoteImageCacheKeyProvider? = nil
    ) {
        var options = RemoteImageOptions(loader: loader)
        options.idleQueue = queue
        options.plays = plays
        options.keepsImageWhileLoading = keepsImageWhileLoading
        (options.cache, options.cacheKeyProvider) = (cache, cacheKeyProvider)
        let host = host ?? RemoteImageHost(self)
        self.host = host
        host.set(
            source?.imageRequest, placeholder: placeholder, sizesToView: sizesToView, showsProgress: showsProgress,
            options: options, completion: completion)
    }

    /// Cancels the load and removes the spinner. The view still shows its current image.
    @MainActor
    public func cancelRemoteImage() { host?.cancel() }

    /// Cancels the load and clears the view, before a cell is reused.
    @MainActor
    public func prepareRemoteImageForReuse() {
        host?.cancel()
        image = nil
    }

    @MainActor private static var hostKey: UInt8 = 0

    @MainActor
    private var host: RemoteImageHost<PlatformImageView>? {
        get {
            withUnsafePointer(to: &PlatformImageView.hostKey) { objc_getAssociatedObject(self, $0) as? RemoteImageHost }
        }
        set {
            withUnsafePointer(to: &PlatformImageView.hostKey) {
                objc_setAssociatedObject(self, $0, newValue, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
            }
        }
    }
}
