import Calotype
import CalotypeCodecs

/// An image view of UIKit or AppKit that can show a remote image.
@MainActor
protocol RemoteImageView: AnyObject {
    associatedtype PlatformImage

    /// The size to decode for the view, or `nil` if the view has no size yet or does not scale its image.
    var decodeTarget: ResizeTarget? { get }

    /// Returns the bitmap as the toolkit's image, at the scale of the view's screen.
    func platformImage(of bitmap: Bitmap) -> PlatformImage?

    func show(_ image: PlatformImage?, fades: Bool)

    /// Adds a spinner over the middle of the view. Returns a closure that removes the spinner.
    func addSpinner() -> @MainActor () -> Void
}

/// The load of one view, with the view's placeholder and spinner.
@MainActor
final class RemoteImageHost<View: RemoteImageView> {
    private weak var view: View?
    private var placeholder: View.PlatformImage?
    private var showsProgress = false
    private var load: ImageViewLoad?
    private var removeSpinner: (@MainActor () -> Void)?

    init(_ view: View) {
        self.view = view
        AnimationPermission.followSystem()
    }

    func set(
        _ request: ImageRequest?, placeholder: View.PlatformImage?, sizesToView: Bool, showsProgress: Bool,
        options: RemoteImageOptions, completion: ImageViewLoad.Completion?
    ) {
        self.placeholder = placeholder
        self.showsProgress = showsProgress
        let load = load(options)
        guard sizesToView else { return load.set(request, completion: completion) }
        load.set(request, sizedBy: { [weak self] in self?.view?.decodeTarget }, completion: completion)
    }

    func cancel() {
        load?.cancel()
        spin(false)
    }

    private func load(_ options: RemoteImageOptions) -> ImageViewLoad {
        if let load, load.serves(options) {
            load.use(options)
            return load
        }
        // The current load has other options, for example another loader.
        load?.cancel()
        let new = ImageViewLoad(options) { [weak self] in self?.show($0) }
        load = new
        return new
    }

    private func show(_ state: RemoteImageState) {
        spin(state.isLoading && showsProgress)
        switch state {
        case .loading(_, let preview): view?.show(preview.flatMap(image) ?? placeholder, fades: false)
        case .image(let loaded): view?.show(image(of: loaded) ?? placeholder, fades: !loaded.wasCached)
        case .error: view?.show(placeholder, fades: false)
        }
    }

    private func image(of loaded: LoadedImage) -> View.PlatformImage? { view?.platformImage(of: loaded.bitmap) }

    private func spin(_ spins: Bool) {
        if spins {
            if removeSpinner == nil { removeSpinner = view?.addSpinner() }
        } else {
            removeSpinner?()
            removeSpinner = nil
        }
    }
}
