#if canImport(UIKit)
    import CalotypeCodecs
    import UIKit

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
