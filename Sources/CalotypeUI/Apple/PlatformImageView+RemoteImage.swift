public import Calotype
public import CalotypeCodecs

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
    /// Shows the image of a URL, a URLRequest or an ImageRequest from now on.
    ///
    /// With the image in memory the view has it when this returns; before its first layout it has the whole image at the
    /// size that memory has, and its own size after it. Otherwise it shows the placeholder, which stays
    /// where the load fails. What arrives for an earlier request is dropped. The view is held weakly.
    ///
    /// - Parameters:
    ///   - source: A URL, a URLRequest or an ImageRequest. With `nil`, the placeholder is shown and nothing is loaded.
    ///   - placeholder: The image to show until there is anything of the remote one. The default is `nil`.
    ///   - sizesToView: Whether a request without a size is decoded at the size of the view, in pixels, if the view scales its
    ///     image. Before the first layout the load waits for it. The default is `true`.
    ///   - showsProgress: Whether a spinner is shown over the middle of the view while it loads. The default is `false`.
    ///   - queue: One queue for all rows of a list. While the list scrolls, images in memory are shown and the others
    ///     wait until it rests; report the scrolling to it by ``IdleQueue/noteScroll()``. The default is `nil`.
    ///   - plays: How an animation plays. The default is as its file says; it does not play where the system reduces motion.
    ///   - loader: The loader of the image. The default is ``ImageLoader/shared``.
    ///   - cache: A cache that is asked before the loader and filled after it. The default is `nil`: the loader has its own memory.
    ///   - completion: Called once, on the main actor: with the image or the failure, or with `cancelled` if the view was given
    ///     another image first. With the image in memory at the view's size, before this returns.
    ///   - cacheKeyProvider: Names images in `cache`. If `nil` (the default), the loader's own key does.
    @MainActor
    public func setRemoteImage(
        _ source: (any RemoteImageSource)?, placeholder: UniversalImage? = nil, sizesToView: Bool = true,
        showsProgress: Bool = false,
        startsWhenIdle queue: IdleQueue? = nil, plays: AnimationPlayback = .automatic,
        loader: ImageLoader = .shared, cache: (any RemoteImageCache)? = nil,
        completion: (@MainActor (Result<Bitmap, ImageError>) -> Void)? = nil,
        // Last: a closure behind the parentheses is the completion.
        cacheKeyProvider: RemoteImageCacheKeyProvider? = nil
    ) {
        var options = RemoteImageOptions(loader: loader)
        options.idleQueue = queue
        options.plays = plays
        (options.cache, options.cacheKeyProvider) = (cache, cacheKeyProvider)
        let host = host ?? RemoteImageHost(self)
        AssociatedState.set(host, of: self)
        host.set(
            source?.imageRequest, placeholder: placeholder, sizesToView: sizesToView, showsProgress: showsProgress,
            options: options, completion: completion)
    }

    /// Ends the load. The view stays as it looks now.
    @MainActor
    public func cancelRemoteImage() { host?.cancel() }

    /// Ends the load and shows nothing. For a cell that goes back to the pool.
    @MainActor
    public func prepareRemoteImageForReuse() {
        host?.cancel()
        image = nil
    }

    private var host: RemoteImageHost<PlatformImageView>? { AssociatedState.state(of: self) }
}
