import Calotype
import CalotypeCodecs

/// The remote image of one image view of UIKit or AppKit: what to show when, and whom to tell.
///
/// Every completion is called once: with the picture or the failure of its own request, or with `cancelled` when the view
/// was given another one first. With the picture in memory that is before ``set(_:completion:)`` returns, and nothing
/// else is shown before it.
@MainActor
final class ImageViewLoad {
    typealias Completion = @MainActor (Result<Bitmap, ImageError>) -> Void

    private let binder: ImageBinder
    private let show: @MainActor (RemoteImageState) -> Void
    private var completion: Completion?
    private var isSetting = false

    /// - Parameter show: shows a state; holds its view weakly.
    init(_ options: RemoteImageOptions, show: @escaping @MainActor (RemoteImageState) -> Void) {
        binder = ImageBinder(options)
        self.show = show
        binder.onChange = { [weak self] in self?.take($0) }
    }

    /// Returns whether loads that these options describe can go on here.
    func serves(_ options: RemoteImageOptions) -> Bool {
        binder.options.loader === options.loader && binder.options.idleQueue === options.idleQueue
    }

    /// Shows the image of this request from now on; with nil, none.
    func set(_ request: ImageRequest?, completion: Completion? = nil) {
        let superseded = self.completion
        self.completion = completion
        isSetting = true
        binder.show(request)
        isSetting = false
        // Whoever is told may set another request, which then is the latest: nothing of this one is touched below.
        superseded?(.failure(.cancelled))
        take(stateAtHand)
        if binder.request == nil { end(.failure(.cancelled)) }
    }

    /// Ends what is under way and leaves the view as it looks now.
    func cancel() {
        isSetting = true
        binder.show(nil)
        isSetting = false
        end(.failure(.cancelled))
    }

    /// An image that is there when it is asked for needs no transition, however it came.
    private var stateAtHand: RemoteImageState {
        guard let image = binder.state.image else { return binder.state }
        return .image(LoadedImage(bitmap: image.bitmap, origin: image.origin, wasAtHand: true))
    }

    private func take(_ state: RemoteImageState) {
        // The state before it would be seen for no time, or for a whole frame.
        if isSetting { return }
        show(state)
        switch state {
        case .loading: break
        case .image(let image): end(.success(image.bitmap))
        case .error(let error): end(.failure(error))
        }
    }

    private func end(_ result: Result<Bitmap, ImageError>) {
        let completion = completion
        self.completion = nil
        completion?(result)
    }
}
