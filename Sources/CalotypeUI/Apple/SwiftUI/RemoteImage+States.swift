#if canImport(SwiftUI)
    public import Calotype
    import Foundation
    public import SwiftUI

    extension RemoteImage {
        /// Draws each of the three states as its own closure says. The library adds nothing to them.
        ///
        /// - Parameters:
        ///   - url: with nil, `loadingView` stays.
        ///   - errorView: gets the reason. A `retryRemoteImage` in its environment tries again.
        ///   - imageView: gets the image as large as it was asked for, at the display's scale; style it there.
        public init<ErrorView: View, ImageView: View, LoadingView: View>(
            url: URL?, @ViewBuilder errorView: @escaping (ImageError) -> ErrorView,
            @ViewBuilder imageView: @escaping (Image) -> ImageView,
            @ViewBuilder loadingView: @escaping () -> LoadingView
        ) where Content == RemoteImageStates<ErrorView, ImageView, LoadingView> {
            self.init(url.map { ImageRequest($0) }, preview: nil, service: nil, sizesToView: false) { state in
                RemoteImageStates(state: state, errorView: errorView, imageView: imageView, loadingView: loadingView)
            }
        }

        /// The same for a URL, a URLRequest or an ImageRequest.
        ///
        /// - Parameter service: loads in place of the environment's loader. Keep it in a `@State`, so that evaluating a
        ///   body again does not create another.
        public init<ErrorView: View, ImageView: View, LoadingView: View>(
            source: some RemoteImageSource, preview: ImageRequest? = nil, service: (any RemoteImageService)? = nil,
            @ViewBuilder errorView: @escaping (ImageError) -> ErrorView,
            @ViewBuilder imageView: @escaping (Image) -> ImageView,
            @ViewBuilder loadingView: @escaping () -> LoadingView
        ) where Content == RemoteImageStates<ErrorView, ImageView, LoadingView> {
            self.init(source.imageRequest, preview: preview, service: service, sizesToView: false) { state in
                RemoteImageStates(state: state, errorView: errorView, imageView: imageView, loadingView: loadingView)
            }
        }

        /// Fits the image into the space there is. Before it, and where there is none, the placeholder.
        public init<Placeholder: View>(
            source: some RemoteImageSource, @ViewBuilder placeholder: @escaping () -> Placeholder
        ) where Content == RemoteImageStates<Placeholder, FittedImage, Placeholder> {
            self.init(source.imageRequest, preview: nil, service: nil, sizesToView: true) { state in
                RemoteImageStates(
                    state: state, errorView: { _ in placeholder() }, imageView: FittedImage.init,
                    loadingView: placeholder)
            }
        }

        /// Fits the image into the space there is. Before it a grey ground; where it fails, a button to try again unless that
        /// cannot help.
        public init(
            source: some RemoteImageSource
        ) where Content == RemoteImageStates<RetryButton, FittedImage, PlainPlaceholder> {
            self.init(source.imageRequest, preview: nil, service: nil, sizesToView: true) { state in
                RemoteImageStates(
                    state: state, errorView: RetryButton.init, imageView: FittedImage.init,
                    loadingView: PlainPlaceholder.init)
            }
        }
    }

    /// One of three views, by the state.
    public struct RemoteImageStates<ErrorView: View, ImageView: View, LoadingView: View>: View {
        @Environment(\.displayScale) private var displayScale
        let state: RemoteImageState
        let errorView: (ImageError) -> ErrorView
        let imageView: (Image) -> ImageView
        let loadingView: () -> LoadingView

        init(
            state: RemoteImageState, errorView: @escaping (ImageError) -> ErrorView,
            imageView: @escaping (Image) -> ImageView, loadingView: @escaping () -> LoadingView
        ) {
            self.state = state
            self.errorView = errorView
            self.imageView = imageView
            self.loadingView = loadingView
        }

        public var body: some View {
            switch state {
            case .error(let error): errorView(error)
            case .image(let loaded):
                if let image = Image(loaded, scale: displayScale) { imageView(image) }
            case .loading(_, let preview):
                if let image = preview.flatMap({ Image($0, scale: displayScale) }) {
                    imageView(image)
                } else {
                    loadingView()
                }
            }
        }
    }
#endif
