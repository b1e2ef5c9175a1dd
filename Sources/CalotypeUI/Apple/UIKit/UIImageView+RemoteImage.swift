#if canImport(UIKit)
    public import Calotype
    public import CalotypeCodecs
    public import UIKit

    extension UIImageView {
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
        ///   - plays: how an animation plays. As its file says by default; not where the system reduces motion.
        ///   - loader: ``ImageLoader/shared`` by default.
        ///   - completion: called once, on the main actor: with the image or the failure, or with `cancelled` when the
        ///     view was given another image first. With the image in memory, before this returns.
        @MainActor
        public func setRemoteImage(
            _ source: (any RemoteImageSource)?, placeholder: UIImage? = nil, sizesToView: Bool = true,
            showsProgress: Bool = false,
            startsWhenIdle queue: IdleQueue? = nil, plays: AnimationPlayback = .automatic,
            loader: ImageLoader = .shared,
            completion: (@MainActor (Result<Bitmap, ImageError>) -> Void)? = nil
        ) {
            var options = RemoteImageOptions(loader: loader)
            options.idleQueue = queue
            options.plays = plays
            let host = host ?? RemoteImageHost(self)
            AssociatedState.set(host, of: self)
            host.set(
                source?.imageRequest, placeholder: placeholder, sizesToView: sizesToView, showsProgress: showsProgress,
                options: options, completion: completion)
        }

        /// Ends the load. The view stays as it looks now.
        @MainActor
        public func cancelRemoteImage() { host?.cancel() }

        /// For a cell that goes back to the pool: ends the load and shows nothing.
        @MainActor
        public func prepareRemoteImageForReuse() {
            host?.cancel()
            image = nil
        }

        private var host: RemoteImageHost<UIImageView>? { AssociatedState.state(of: self) }
    }

    extension UIImageView: RemoteImageView {
        var decodeTarget: ResizeTarget? {
            guard [.scaleAspectFit, .scaleAspectFill, .scaleToFill].contains(contentMode) else { return nil }
            if bounds.isEmpty, window != nil { superview?.layoutIfNeeded() }
            return ResizeTarget(
                points: bounds.width, bounds.height, scale: traitCollection.displayScale,
                covers: contentMode != .scaleAspectFit)
        }

        func platformImage(of bitmap: Bitmap) -> UIImage? {
            try? bitmap.uiImage(scale: traitCollection.displayScale)
        }

        func show(_ image: UIImage?, fades: Bool) {
            guard fades, window != nil else { return self.image = image }
            // A cell can be tapped while its image fades in.
            let options: UIView.AnimationOptions = [.transitionCrossDissolve, .allowUserInteraction]
            UIView.transition(with: self, duration: 0.2, options: options) { self.image = image }
        }

        func addSpinner() -> @MainActor () -> Void {
            let spinner = UIActivityIndicatorView(style: .medium)
            spinner.center = CGPoint(x: bounds.midX, y: bounds.midY)
            spinner.autoresizingMask = [
                .flexibleLeftMargin, .flexibleRightMargin, .flexibleTopMargin, .flexibleBottomMargin,
            ]
            addSubview(spinner)
            spinner.startAnimating()
            return { spinner.removeFromSuperview() }
        }
    }
#endif
