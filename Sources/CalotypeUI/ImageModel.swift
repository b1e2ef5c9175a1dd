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
/// With the picture in memory, the state is `image` before the setter returns. A new request ends the fetch of the one
/// before; only the latest one's picture is ever shown. Owned by whoever draws the view, so that drawing anew does not
/// start anew; letting go of it ends its fetch.
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

    public convenience init(loader: ImageLoader) {
        self.init(RemoteImageOptions(loader: loader))
    }

    /// What is shown, or is to be. Nil, at first: nothing.
    public var request: ImageRequest? {
        get { binder.request }
        set { binder.show(newValue) }
    }

    public func fetch(_ request: ImageRequest) { binder.show(request) }

    /// - Parameter preview: what may be shown until then, if it is in memory: the same picture at another size.
    public func fetch(_ request: ImageRequest, preview: ImageRequest?) { binder.show(request, preview: preview) }

    /// What to show of a request that may not have been set yet. For the latest one that is ``state``; for another what
    /// memory has of it, and nothing is started.
    public func state(of request: ImageRequest?, preview: ImageRequest? = nil) -> RemoteImageState {
        // Read here as well, so that whoever draws by it is told of the changes.
        _ = state
        return binder.state(of: request, preview: preview)
    }

    public func retry() { binder.retry() }

    public func appear() { binder.appear() }

    public func disappear() { binder.disappear() }
}
