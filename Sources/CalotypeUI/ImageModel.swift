public import Calotype
public import Observation

/// The model of a view of one remote image. Set a request, and observe the state.
///
/// ```swift
/// let model = ImageModel()
/// model.request = ImageRequest(url, size: ResizeTarget(width: 300))
/// switch model.state { … }
/// ```
///
/// If the image is in memory, the state is `image` before the setter returns. A new request cancels the previous load,
/// and only the image of the latest request is ever shown. Keep the model with the view's own state, so that a redraw
/// does not load again. Releasing the model cancels its load.
@MainActor
@Observable
public final class ImageModel: RemoteImageService {
    public private(set) var state = RemoteImageState.loading()

    @ObservationIgnored private let binder: ImageBinder

    /// - Parameter isOnScreen: Whether the view is on screen already. Off screen, nothing starts before ``appear()``.
    public init(_ options: RemoteImageOptions = RemoteImageOptions(), isOnScreen: Bool = true) {
        binder = ImageBinder(options, isOnScreen: isOnScreen)
        binder.onChange = { [weak self] in self?.state = $0 }
    }

    /// Creates a model that uses a loader.
    public convenience init(loader: ImageLoader) {
        self.init(RemoteImageOptions(loader: loader))
    }

    /// The request for the current image, or `nil` (the default) for no image.
    ///
    /// Setting the same request again loads it again only after an error, or with the policy `revalidate` or
    /// `reloadIgnoringCache`, as for pull to refresh. The visible image stays until the new one arrives.
    public var request: ImageRequest? {
        get { binder.request }
        set { binder.show(newValue) }
    }

    /// Uses this cache and these keys from here on. A body passes them at each evaluation, because they cannot be compared.
    func use(_ cache: (any RemoteImageCache)?, keys: RemoteImageCacheKeyProvider?, keepsImage: Bool = false) {
        var options = binder.options
        (options.cache, options.cacheKeyProvider) = (cache, keys)
        options.keepsImageWhileLoading = keepsImage
        binder.use(options)
    }

    func task(for request: ImageRequest?) -> RemoteImageTask { RemoteImageTask(request, binder.options) }

    public func fetch(_ request: ImageRequest?, preview: ImageRequest? = nil) {
        binder.rebind(request, preview: preview)
    }

    public func state(of request: ImageRequest?, preview: ImageRequest? = nil) -> RemoteImageState {
        // Read the state here as well, so that views drawn from the result observe its changes.
        _ = state
        return binder.state(of: request, preview: preview)
    }

    public func retry() { binder.retry() }

    public func appear() { binder.appear() }

    public func disappear() { binder.disappear() }
}
