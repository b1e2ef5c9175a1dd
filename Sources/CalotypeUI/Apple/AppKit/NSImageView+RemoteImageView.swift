#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    import AppKit
    import CalotypeCodecs
    import QuartzCore

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

        /// The pixels per point of the view's window. A view without a window, such as a list row that gets its image
        /// before it is added to the list, uses the main screen's.
        private var pixelsPerPoint: CGFloat {
            window?.backingScaleFactor ?? NSScreen.main?.backingScaleFactor ?? 1
        }

        func show(_ image: NSImage?, fades: Bool) {
            self.image = image
            guard fades, window != nil else { return }
            // Fade the layer: the application owns the view's opacity, and may be animating it.
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
