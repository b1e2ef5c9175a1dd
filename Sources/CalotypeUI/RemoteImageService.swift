public import Calotype

/// Where a view gets its state from. ``ImageModel`` is the default; another takes its place by conforming.
///
/// A service belongs to one view, or to one owner that hands it to a view. It starts in the state `loading`.
@MainActor
public protocol RemoteImageService: AnyObject {
    /// Observable: a view that reads it is drawn again when it changes.
    var state: RemoteImageState { get }

    /// Shows this picture from now on. Ends the fetch for another one first; asked for the same again, it does nothing.
    func fetch(_ request: ImageRequest)

    /// Asks again after an error; does nothing in other states.
    func retry()

    /// The view is on screen again. Does nothing by default.
    func appear()

    /// The view has left the screen: what is under way may end. Does nothing by default.
    func disappear()
}

extension RemoteImageService {
    public func appear() {}
    public func disappear() {}
}
