public import Calotype
public import Observation

/// The model of a view of one remote image: set a request, observe the state.
///
/// ```swift
/// let model = ImageModel()
/// model.request = ImageRequest(url, size: ResizeTarget(width: 300))
/// switch model.state { … }
/// ```
///
/// With the image in memory, the state is `image` before the setter returns. A new request cancels the load of the one
/// before; only the latest one's image is ever shown. Keep the model where the view's own state is kept, so that
/// drawing the view again loads nothing again; releasing it cancels its load.
@MainActor
@Observable
public final class ImageModel: RemoteImageService {
    public private(set) var state = RemoteImageState.loading()

    @ObservationIgnored private let binder: ImageBinder

    /// - Parameter isOnScreen: whether the view is there already. Off screen, nothing starts before ``appear()``.
    public init(_ options: RemoteImageOptions = RemoteImageOptions(), isOnScreen: Bool = true) {
        binder = ImageBinder(options, isOnScreen: isOnScreen)
        binder.onChange = { [weak self] in self?.state = $0 }
    }

    /// Creates a model over a loader.
    public convenience init(loader: ImageLoader) {
        self.init(RemoteImageOptions(loader: loader))
    }

    /// The request whose image is shown, or is to be; `nil`, at first, for none.
    ///
    /// Setting the same request again does nothing, except after an error, and except that one with the policy
    /// `revalidate` or `reloadIgnoringCache` loads again: pull to refresh. The image stays until the new one arrives.
    public var request: ImageRequest? {
        get { binder.request }
        set { binder.show(newValue) }
    }

    public func fetch(_ request: ImageRequest?, preview: ImageRequest? = nil) {
        binder.rebind(request, preview: preview)
    }

    public func state(of request: ImageRequest?, preview: ImageRequest? = nil) -> RemoteImageState {
        // Read here as well, so that views drawn by it observe its changes.
        _ = state
        return binder.state(of: request, preview: preview)
    }

    public func retry() { binder.retry() }

    public func appear() { binder.appear() }

    public func disappear() { binder.disappear() }
}
