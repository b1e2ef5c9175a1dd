public import Calotype
import CalotypeBase

/// Gives a view its state. ``ImageModel`` is the default; replace it by a type that conforms.
///
/// A service belongs to one view, or to one owner that hands it to a view. It starts in the state `loading`.
@MainActor
public protocol RemoteImageService: AnyObject {
    /// The state of the latest request. Observable: a view that reads it is drawn again when it changes.
    var state: RemoteImageState { get }

    /// The state of a request that may not have been fetched yet, because a view is drawn before it appears.
    ///
    /// For the latest request it is ``state``. For any other it is the image if it is in memory, and `loading` if not:
    /// never the image of the request before. Starts nothing.
    ///
    /// - Parameter preview: what may be shown until then, if it is in memory: the same image at another size.
    func state(of request: ImageRequest?, preview: ImageRequest?) -> RemoteImageState

    /// Shows the image of this request from now on; with `nil`, none. Cancels the load of the request before.
    ///
    /// Views call it whenever they appear or change: for the same request it does nothing, except after an error.
    func fetch(_ request: ImageRequest?, preview: ImageRequest?)

    /// Asks again after an error; does nothing in other states.
    func retry()

    /// The view is on screen. The default implementation does nothing.
    func appear()

    /// The view has left the screen, so that its load may end. The default implementation does nothing.
    func disappear()
}

extension RemoteImageService {
    public func appear() {}
    public func disappear() {}

    /// The state to draw for a view that gets its request's size from its layout.
    ///
    /// - Parameters:
    ///   - request: The request with its size, or `nil` before the first layout.
    ///   - unsized: The request as the view was given it. Before the first layout, what memory has of its image is drawn.
    package func state(
        of request: ImageRequest?, unsized: ImageRequest?, preview: ImageRequest?
    ) -> RemoteImageState {
        if let request { return state(of: request, preview: preview) }
        return .loading(preview: state(of: unsized, preview: preview).visibleImage)
    }

    /// Presents a request when the view has appeared, and when its ``RemoteImageTask`` changes.
    ///
    /// In this order: a view that comes back with another request has no use for the old one's load.
    package func present(_ request: ImageRequest?, preview: ImageRequest?) {
        fetch(request, preview: preview)
        appear()
    }
}

/// The part of a request on which a view's service has to act: one for `task(id:)`.
package struct RemoteImageTask: Hashable, Sendable {
    private let identity: ImageIdentity?
    private let priority: LoadPriority?

    package init(_ request: ImageRequest?, in loader: ImageLoader) {
        identity = request.map(loader.identity)
        priority = request?.priority
    }
}
