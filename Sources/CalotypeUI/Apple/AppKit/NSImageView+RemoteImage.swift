#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    public import AppKit
    public import Calotype
    public import CalotypeCodecs

    extension NSImageView {
        /// Shows the image of a URL, a URLRequest or an ImageRequest from now on.
        ///
        /// With the image in memory the view has it when this returns. Otherwise it shows the placeholder, which stays
        /// where the load fails. Whatever arrives for an earlier request is dropped. The view is held weakly.
        ///
        /// - Parameters:
        ///   - source: with nil, the placeholder is shown and nothing is loaded.
        ///   - sizesToView: whether a request without a size is decoded at the size of the view, in pixels, if it scales its
        ///     image. On by default. Before the first layout the load waits for it.
        ///   - showsProgress: a spinner over the middle of the view while it loads. Off by default.
        ///   - queue: one for all rows of a list. While the list scrolls, images in memory are shown and the others
        ///     wait until it rests; tell it of the scrolling with ``IdleQueue/noteScroll()``. None by default.
        ///   - loader: ``ImageLoader/shared`` by default.
        ///   - completion: called once, on the main actor: with the picture or the failure, or with `cancelled` when the
        ///     view was given another image first. With the image in memory, before this returns.
        public func setRemoteImage(
            _ source: (any RemoteImageSource)?, placeholder: NSImage? = nil, sizesToView: Bool = true,
            showsProgress: Bool = false,
            startsWhenIdle queue: IdleQueue? = nil, loader: ImageLoader = .shared,
            completion: (@MainActor (Result<Bitmap, ImageError>) -> Void)? = nil
        ) {
            var options = RemoteImageOptions(loader: loader)
            options.idleQueue = queue
            let remote = remoteImage ?? AppKitRemoteImage(self)
            AssociatedState.set(remote, of: self)
            remote.placeholder = placeholder
            remote.showsProgress = showsProgress
            let load = remote.load(options)
            guard sizesToView else { return load.set(source?.imageRequest, completion: completion) }
            load.set(source?.imageRequest, sizedBy: { [weak remote] in remote?.target }, completion: completion)
        }

        /// Ends what is under way. The view stays as it looks now.
        public func cancelRemoteImage() { remoteImage?.cancel() }

        /// For a row that goes back to the pool: ends what is under way and shows nothing.
        public func prepareRemoteImageForReuse() {
            remoteImage?.cancel()
            image = nil
        }

        private var remoteImage: AppKitRemoteImage? { AssociatedState.state(of: self) }
    }

    /// The link between one view and its load.
    @MainActor
    private final class AppKitRemoteImage {
        var placeholder: NSImage?
        var showsProgress = false
        private weak var view: NSImageView?
        private var load: ImageViewLoad?
        private var spinner: NSProgressIndicator?

        init(_ view: NSImageView) {
            self.view = view
        }

        func load(_ options: RemoteImageOptions) -> ImageViewLoad {
            if let load, load.serves(options) { return load }
            // Another loader, or another list: what the old one has under way is nobody's any more.
            load?.cancel()
            let new = ImageViewLoad(options) { [weak self] in self?.show($0) }
            load = new
            return new
        }

        /// The size to decode for the view; `nil` where it has no size yet, or shows images as large as they are.
        var target: ResizeTarget? {
            guard let view, view.imageScaling != .scaleNone else { return nil }
            if view.bounds.isEmpty, view.window != nil { view.superview?.layoutSubtreeIfNeeded() }
            return ResizeTarget(
                points: view.bounds.width, view.bounds.height, scale: Double(view.window?.backingScaleFactor ?? 1),
                covers: view.imageScaling == .scaleAxesIndependently)
        }

        func cancel() {
            load?.cancel()
            spin(false)
        }

        private func show(_ state: RemoteImageState) {
            spin(state.isLoading && showsProgress)
            switch state {
            case .loading(_, let preview): view?.image = preview.flatMap(image) ?? placeholder
            case .image(let loaded): show(image(of: loaded) ?? placeholder, fades: !loaded.wasAtHand)
            case .error: view?.image = placeholder
            }
        }

        private func image(of loaded: LoadedImage) -> NSImage? {
            try? loaded.bitmap.nsImage(scale: view?.window?.backingScaleFactor ?? 1)
        }

        private func show(_ image: NSImage?, fades: Bool) {
            guard let view else { return }
            view.image = image
            guard fades, view.window != nil else { return }
            let opacity = view.alphaValue
            view.alphaValue = 0
            view.animator().alphaValue = opacity
        }

        private func spin(_ spins: Bool) {
            guard spins, let view else {
                spinner?.removeFromSuperview()
                return spinner = nil
            }
            guard spinner == nil else { return }
            let side: CGFloat = 16
            let spinner = NSProgressIndicator(
                frame: NSRect(
                    x: view.bounds.midX - side / 2, y: view.bounds.midY - side / 2, width: side, height: side))
            spinner.style = .spinning
            spinner.controlSize = .small
            spinner.autoresizingMask = [.minXMargin, .maxXMargin, .minYMargin, .maxYMargin]
            view.addSubview(spinner)
            spinner.startAnimation(nil)
            self.spinner = spinner
        }
    }
#endif
