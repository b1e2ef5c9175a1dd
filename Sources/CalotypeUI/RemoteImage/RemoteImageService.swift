public import Calotype
import CalotypeBase

/// The source of a view's states. ``ImageModel`` is the default; any conforming type can replace it.
///
/// A service belongs to one view, or to one owner that passes it to a view. Its first state is `loading`.
@MainActor
public protocol RemoteImageService: AnyObject {
    /// The state of the latest request. Observable: a view that reads it is redrawn when it changes.
    var state: RemoteImageState { get }

    /// Returns the state of a request that may not have been fetched yet, because a view is drawn before it appears.
    ///
    /// For the latest request this is ``state``. For another request it is that request's image if it is in memory, and
    /// otherwise `loading`, without the image of the latest request unless
    /// ``RemoteImageOptions/keepsImageWhileLoading`` is set. Starts nothing.
    ///
    /// - Parameter preview: A request for the same image at another size, to show in the meantime if it is in memory.
    func state(of request: ImageRequest?, preview: ImageRequest?) -> RemoteImageState

    /// Shows the image of this request or, with `nil`, no image. Cancels the load of the previous request.
    ///
    /// Views call it whenever they appear or change. For the same request it does nothing, except after an error.
    func fetch(_ request: ImageRequest?, preview: ImageRequest?)

    /// Loads again after an error. Does nothing in other states.
    func retry()

    /// Resumes loading: the view is on screen. The default implementation does nothing.
    func appear()

    /// Suspends loading: the view has left the screen. The default implementation does nothing.
    func disappear()
}

extension RemoteImageService {
    public func appear() {}
    public func disappear() {}

    /// Returns the state to draw for a view whose layout determines the request's size.
    ///
    /// - Parameters:
    ///   - request: The request with its size, or `nil` before the first layout.
    ///   - unsized: The request without that size. Before the first layout, the view draws its image from memory.
    func state(
        of request: ImageRequest?, unsized: ImageRequest?, preview: ImageRequest?
    ) -> RemoteImageState {
        if let request { return state(of: request, preview: preview) }
        return .loading(preview: state(of: unsized, preview: preview).visibleImage)
    }

    /// Presents a request when the view has appeared, and when its ``RemoteImageTask`` changes.
    ///
    /// Fetches before it calls `appear()`: a view that returns with another request must not resume the load of the old
    /// one.
    func present(_ request: ImageRequest?, preview: ImageRequest?) {
        fetch(request, preview: preview)
        appear()
    }
}

/// The properties of a request that restart a view's `task(id:)` when they change.
struct RemoteImageTask: Hashable, Sendable {
    private let image: BoundImage?
    private let priority: LoadPriority?

    init(_ request: ImageRequest?, _ options: RemoteImageOptions) {
        image = request.map { BoundImage($0, options.loader.identity(of: $0), in: options) }
        priority = request?.priority
    }

    init(_ request: ImageRequest?, in loader: ImageLoader) { self.init(request, RemoteImageOptions(loader: loader)) }
}
