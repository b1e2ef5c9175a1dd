#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    public import AppKit
    public import Calotype
    public import CalotypeCodecs
    import QuartzCore

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
        ///   - plays: how an animation plays. As its file says by default; not where the system reduces motion.
        ///   - loader: ``ImageLoader/shared`` by default.
        ///   - completion: called once, on the main actor: with the image or the failure, or with `cancelled` when the
        ///     view was given another image first. With the image in memory, before this returns.
        @MainActor
        public func setRemoteImage(
            _ source: (any RemoteImageSource)?, placeholder: NSImage? = nil, sizesToView: Bool = true,
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

        /// For a row that goes back to the pool: ends the load and shows nothing.
        @MainActor
        public func prepareRemoteImageForReuse() {
            host?.cancel()
            image = nil
        }

        private var host: RemoteImageHost<NSImageView>? { AssociatedState.state(of: self) }
    }

    extension NSImageView: RemoteImageView {
        var decodeTarget: ResizeTarget? {
            guard imageScaling != .scaleNone else { return nil }
            if bounds.isEmpty, window != nil { superview?.layoutSubtreeIfNeeded() }
            return ResizeTarget(
                points: bounds.width, bounds.height, scale: Double(pixelsPerPoint),
                covers: imageScaling == .scaleAxesIndependently)
        }

        func platformImage(of bitmap: Bitmap) -> NSImage? {
            try? bitmap.nsImage(scale: pixelsPerPoint)
        }

        /// That of the main screen while the view is in no window: a row gets its image before it is added.
        private var pixelsPerPoint: CGFloat {
            window?.backingScaleFactor ?? NSScreen.main?.backingScaleFactor ?? 1
        }

        func show(_ image: NSImage?, fades: Bool) {
            self.image = image
            guard fades, window != nil else { return }
            // On the layer: the view's own opacity, perhaps in mid-animation, is the application's.
            let fade = CATransition()
            fade.type = .fade
            fade.duration = 0.2
            layer?.add(fade, forKey: kCATransition)
        }

        func addSpinner() -> @MainActor () -> Void {
            let side: CGFloat = 16
            let spinner = NSProgressIndicator(
                frame: NSRect(x: bounds.midX - side / 2, y: bounds.midY - side / 2, width: side, height: side))
            spinner.style = .spinning
            spinner.controlSize = .small
            spinner.autoresizingMask = [.minXMargin, .maxXMargin, .minYMargin, .maxYMargin]
            addSubview(spinner)
            spinner.startAnimation(nil)
            return { spinner.removeFromSuperview() }
        }
    }
#endif
