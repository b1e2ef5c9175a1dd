import Calotype
import CalotypeCodecs

/// The animation of one view: opened when its first frame is shown, and played while the view is on screen.
@MainActor
final class MotionBinding {
    /// The visible frame, or `nil` if that is the first frame or there is no animation.
    private(set) var frame: LoadedImage?
    private let options: RemoteImageOptions
    private let onFrame: @MainActor (LoadedImage) -> Void
    /// The first frame of the current animation, set before the animation is opened.
    private var first: LoadedImage?
    private var opening: Task<Void, Never>?
    private var driver: AnimationDriver?
    private var isVisible = false

    var isOpen: Bool { driver != nil }
    var skippedFrames: Int { driver?.player.skipped ?? 0 }

    /// - Parameter onFrame: Called with each frame after the first.
    init(_ options: RemoteImageOptions, onFrame: @escaping @MainActor (LoadedImage) -> Void) {
        self.options = options
        self.onFrame = onFrame
    }

    deinit { opening?.cancel() }

    /// Plays the image's animation while `isVisible` is `true`, and ends the animation of the previous image.
    func follow(_ image: LoadedImage?, of request: ImageRequest?, isVisible: Bool) {
        self.isVisible = isVisible
        if image?.bitmap.identity != first?.bitmap.identity { end() }
        guard let image, image.bitmap.isFirstFrame, let request, options.plays != .firstFrame else { return }
        first = image
        if let driver { return driver.setVisible(isVisible) }
        if isVisible, opening == nil { open(image, request) }
    }

    private func end() {
        opening?.cancel()
        (opening, driver, first, frame) = (nil, nil, nil, nil)
    }

    private func open(_ first: LoadedImage, _ request: ImageRequest) {
        let loader = options.loader
        var request = request
        // Prefer the cached file, from which the first frame was decoded, even if the file is stale.
        request.policy = .returnCacheElseLoad
        opening = Task { [weak self] in
            // An animation that cannot be opened remains a still image.
            guard let animation = try? await loader.animation(for: request), !Task.isCancelled else { return }
            self?.play(animation, first)
        }
    }

    private func play(_ animation: ImageAnimation, _ first: LoadedImage) {
        let driver = AnimationDriver(
            animation, first: first.bitmap, playback: options.plays, clock: options.animationClock,
            isAllowed: options.allowsAnimation)
        self.driver = driver
        driver.onFrame = { [weak self] bitmap in
            self?.show(LoadedImage(bitmap: bitmap, origin: first.origin, wasCached: true))
        }
        driver.setVisible(isVisible)
        driver.start()
    }

    private func show(_ frame: LoadedImage) {
        self.frame = frame
        onFrame(frame)
    }
}
