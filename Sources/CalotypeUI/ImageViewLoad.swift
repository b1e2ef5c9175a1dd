import Calotype
import CalotypeCodecs

/// The remote image of one image view of UIKit or AppKit: its state, and the completion of its latest request.
///
/// Every completion is called once: with the image or the failure of its own request, or with `cancelled` if the load
/// was cancelled or the view set to another request first. If the image is in memory, the call comes before
/// ``set(_:completion:)`` returns, and the view shows no other state in between.
@MainActor
final class ImageViewLoad {
    typealias Completion = @MainActor (Result<Bitmap, ImageError>) -> Void

    private let binder: ImageBinder
    private let show: @MainActor (RemoteImageState) -> Void
    private var completion: Completion?
    private var isSetting = false
    /// The task of a request that waits for the view's first layout.
    private var layout: Task<Void, Never>?

    /// - Parameter show: Shows a state. The closure must capture its view weakly.
    init(_ options: RemoteImageOptions, show: @escaping @MainActor (RemoteImageState) -> Void) {
        binder = ImageBinder(options)
        self.show = show
        binder.onChange = { [weak self] in self?.take($0) }
    }

    /// Returns whether this load may also serve a call with these options. Pass them to ``use(_:)`` then.
    func serves(_ options: RemoteImageOptions) -> Bool {
        binder.options.loader === options.loader && binder.options.idleQueue === options.idleQueue
            && binder.options.plays == options.plays
    }

    /// Uses the cache and the closures of another call from here on: they cannot be compared with those of earlier calls.
    ///
    /// Call it before ``set(_:completion:)``. If the cache is a structure, the visible image may be from another cache:
    /// the view then looks the image up again, even if the request is the same.
    func use(_ options: RemoteImageOptions) {
        binder.use(options)
        guard let cache = options.cache, cache.object == nil, binder.state.visibleImage != nil else { return }
        stopLoading(keepsImage: true)
    }

    /// Shows the image of a request whose size comes from the view, unless the request has its own size.
    ///
    /// - Parameter target: Returns the size to decode for the view, or `nil` before the first layout. The closure is
    ///   then called again in the next turn of the main loop, and the request starts at the returned size, or else at
    ///   full size. Until then the view shows the image at whatever size it has in memory.
    func set(
        _ request: ImageRequest?, sizedBy target: @escaping @MainActor () -> ResizeTarget?,
        completion: Completion? = nil
    ) {
        guard var request, case .none = request.size else { return set(request, completion: completion) }
        request.size = target()
        guard case .none = request.size else { return set(request, completion: completion) }
        let superseded = self.completion
        let known = binder.state(of: request).visibleImage
        stopLoading(keepsImage: true)
        self.completion = completion
        layout = Task { [weak self, request] in
            guard let self, !Task.isCancelled else { return }
            var request = request
            request.size = target()
            let completion = self.completion
            self.completion = nil
            set(request, completion: completion)
        }
        show(.loading(preview: known))
        superseded?(.failure(.cancelled))
    }

    /// - Parameter keepsImage: Whether a request follows, for which the view may keep its image.
    private func stopLoading(keepsImage: Bool = false) {
        layout?.cancel()
        layout = nil
        isSetting = true
        binder.clear(keepsImage: keepsImage)
        isSetting = false
    }

    /// Shows the image of this request or, with `nil`, no image.
    func set(_ request: ImageRequest?, completion: Completion? = nil) {
        layout?.cancel()
        layout = nil
        let superseded = self.completion
        self.completion = completion
        isSetting = true
        binder.show(request)
        isSetting = false
        // The completion may set another request: the code below concerns the latest request.
        superseded?(.failure(.cancelled))
        take(stateAtHand)
        if binder.request == nil { end(.failure(.cancelled)) }
    }

    /// Cancels the load. The view still shows its current image.
    func cancel() {
        stopLoading()
        end(.failure(.cancelled))
    }

    /// The state to show at once: an image that is available immediately needs no transition, whatever its origin.
    private var stateAtHand: RemoteImageState {
        binder.state.image.map { .image($0.cached) } ?? binder.state
    }

    private func take(_ state: RemoteImageState) {
        // `set` shows the resulting state itself. An earlier state could be visible for a frame.
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

extension ResizeTarget {
    /// Creates the target, in pixels, for a view of this size, in points. Returns `nil` unless each side has at least
    /// one pixel and less than a million.
    ///
    /// - Parameter covers: Whether the image covers the view and is cropped, or fits into it.
    init?(points width: Double, _ height: Double, scale: Double, covers: Bool) {
        let (width, height) = ((width * scale).rounded(.up), (height * scale).rounded(.up))
        guard width >= 1, height >= 1, width < 1e6, height < 1e6 else { return nil }
        self.init(width: Int(width), height: Int(height), mode: covers ? .fill : .fit)
    }

    /// Creates the target for a view whose height follows from the image. Returns `nil` unless the width has at least
    /// one pixel and less than a million.
    init?(points width: Double, scale: Double) {
        let width = (width * scale).rounded(.up)
        guard width >= 1, width < 1e6 else { return nil }
        self.init(width: Int(width))
    }

    /// Returns whether the view needs another decode for another width: it has grown, or shrunk to less than half.
    func isOutgrown(by other: ResizeTarget) -> Bool {
        guard let width, let otherWidth = other.width else { return true }
        return otherWidth > width || 2 * otherWidth < width
    }
}
