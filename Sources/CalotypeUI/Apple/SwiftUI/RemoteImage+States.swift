#if canImport(SwiftUI)
    public import Calotype
    import Foundation
    public import SwiftUI

    // MARK: One view for all states

    extension RemoteImage {
        /// Shows an image in the `remoteImageStyle` of the environment, decoded at the width of the view.
        ///
        /// - Parameter source: A URL, a URLRequest or an ImageRequest. If `nil`, the view shows the placeholder.
        public init(_ source: (any RemoteImageSource)?) where Content == StyledRemoteImage {
            self.init(RemoteImageSettings(request: source?.imageRequest, sizesToView: true)) {
                StyledRemoteImage(state: $0)
            }
        }

        /// Shows the view that a closure returns for each phase, like SwiftUI's `AsyncImage`.
        ///
        /// ```swift
        /// RemoteImage(url) { phase in
        ///     switch phase {
        ///     case .empty: ProgressView()
        ///     case .success(let image): image.resizable().scaledToFit()
        ///     case .failure(let error): Text(error.localizedDescription)
        ///     }
        /// }
        /// ```
        public init<PhaseView: View>(
            _ source: (any RemoteImageSource)?, @ViewBuilder content: @escaping (RemoteImagePhase) -> PhaseView
        ) where Content == RemoteImagePhases<PhaseView> {
            self.init(RemoteImageSettings(request: source?.imageRequest)) {
                RemoteImagePhases(state: $0, content: content)
            }
        }

        /// Shows the view that `content` makes of the image; before it arrives and after a failure, `placeholder`.
        public init<ImageView: View, Placeholder: View>(
            _ source: (any RemoteImageSource)?, @ViewBuilder content: @escaping (Image) -> ImageView,
            @ViewBuilder placeholder: @escaping () -> Placeholder
        ) where Content == RemoteImageStates<Placeholder, ImageView, Placeholder> {
            self.init(RemoteImageSettings(request: source?.imageRequest)) { state in
                RemoteImageStates(
                    state: state, errorView: { _ in placeholder() }, imageView: content, loadingView: placeholder)
            }
        }
    }

    // MARK: A view for each state

    extension RemoteImage {
        /// Shows an image in the `remoteImageStyle` of the environment, decoded at the width of the view.
        public init(source: some RemoteImageSource) where Content == StyledRemoteImage { self.init(source) }

        /// Fits the image into the available space. Shows the placeholder until the image arrives and after a failure.
        public init<Placeholder: View>(
            source: some RemoteImageSource, @ViewBuilder placeholder: @escaping () -> Placeholder
        ) where Content == RemoteImageStates<Placeholder, FittedImage, Placeholder> {
            self.init(RemoteImageSettings(request: source.imageRequest, sizesToView: true)) { state in
                RemoteImageStates(
                    state: state, errorView: { _ in placeholder() }, imageView: FittedImage.init,
                    loadingView: placeholder)
            }
        }

        /// Shows the view that a closure returns for each state.
        ///
        /// - Parameters:
        ///   - source: A URL, a URLRequest or an ImageRequest.
        ///   - preview: A request for the same image at another size, to show in the meantime if it is in memory.
        public init(
            source: some RemoteImageSource, preview: ImageRequest? = nil,
            @ViewBuilder content: @escaping (RemoteImageState) -> Content
        ) {
            self.init(RemoteImageSettings(request: source.imageRequest, preview: preview), content)
        }

        /// Draws each of the three states with a separate closure. The library draws nothing else.
        ///
        /// - Parameters:
        ///   - url: The URL of the image. If `nil`, the view shows `loadingView`.
        ///   - errorView: Draws the failure. Its environment's `retryRemoteImage` loads the image again.
        ///   - imageView: Draws the image, which has the requested size at the display's scale.
        public init<ErrorView: View, ImageView: View, LoadingView: View>(
            url: URL?, @ViewBuilder errorView: @escaping (ImageError) -> ErrorView,
            @ViewBuilder imageView: @escaping (Image) -> ImageView,
            @ViewBuilder loadingView: @escaping () -> LoadingView
        ) where Content == RemoteImageStates<ErrorView, ImageView, LoadingView> {
            self.init(RemoteImageSettings(request: url.map { ImageRequest($0) })) { state in
                RemoteImageStates(state: state, errorView: errorView, imageView: imageView, loadingView: loadingView)
            }
        }

        /// Draws each state of the image of a URL, a URLRequest or an ImageRequest with a separate closure.
        ///
        /// - Parameter service: The service that loads in place of the environment's loader. Keep it in a `@State`: a
        ///   body that creates it would create another at each evaluation.
        public init<ErrorView: View, ImageView: View, LoadingView: View>(
            source: some RemoteImageSource, preview: ImageRequest? = nil, service: (any RemoteImageService)? = nil,
            @ViewBuilder errorView: @escaping (ImageError) -> ErrorView,
            @ViewBuilder imageView: @escaping (Image) -> ImageView,
            @ViewBuilder loadingView: @escaping () -> LoadingView
        ) where Content == RemoteImageStates<ErrorView, ImageView, LoadingView> {
            let settings = RemoteImageSettings(request: source.imageRequest, preview: preview, service: service)
            self.init(settings) { state in
                RemoteImageStates(state: state, errorView: errorView, imageView: imageView, loadingView: loadingView)
            }
        }
    }

    /// A view that shows one of three views, selected by the state.
    public struct RemoteImageStates<ErrorView: View, ImageView: View, LoadingView: View>: View {
        @Environment(\.displayScale) private var displayScale
        @Environment(\.remoteImageTransition) private var transition
        let state: RemoteImageState
        let errorView: (ImageError) -> ErrorView
        let imageView: (Image) -> ImageView
        let loadingView: () -> LoadingView

        public var body: some View {
            switch RemoteImagePhase(state, scale: displayScale) {
            case .empty: loadingView()
            case .success(let image): imageView(image).transition(transition ?? .opacity)
            case .failure(let error): errorView(error)
            }
        }
    }
#endif
