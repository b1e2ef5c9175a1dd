#if canImport(SwiftUI)
    public import Calotype
    public import SwiftUI

    /// A view of a remote image.
    ///
    /// ```swift
    /// RemoteImage(source: url)
    /// RemoteImage(source: ImageRequest(url, size: ResizeTarget(width: 300))) { ProgressView() }
    /// RemoteImage(url: url) { error in
    ///     Text(error.message)
    /// } imageView: { image in
    ///     image.resizable().aspectRatio(contentMode: .fill)
    /// } loadingView: {
    ///     ProgressView()
    /// }
    /// ```
    ///
    /// A picture in memory is in the first frame. Others are asked for when the view appears, of the `imageLoader` in the
    /// environment; the load ends when the view disappears, and a new source ends that of the old one. The state is the
    /// view's own: drawing its parent anew starts nothing anew.
    public struct RemoteImage<Content: View>: View {
        @Environment(\.imageLoader) private var loader
        private let request: ImageRequest?
        private let preview: ImageRequest?
        private let service: (any RemoteImageService)?
        private var animation: Animation? = .easeIn(duration: 0.2)
        private let content: (RemoteImageState) -> Content

        /// Draws every state as `content` says.
        ///
        /// - Parameters:
        ///   - source: a URL, a URLRequest or an ImageRequest.
        ///   - preview: what may be shown until the picture is there, if it is in memory: the same at another size.
        public init(
            source: some RemoteImageSource, preview: ImageRequest? = nil,
            @ViewBuilder content: @escaping (RemoteImageState) -> Content
        ) {
            self.init(source.imageRequest, preview: preview, service: nil, content)
        }

        init(
            _ request: ImageRequest?, preview: ImageRequest?, service: (any RemoteImageService)?,
            _ content: @escaping (RemoteImageState) -> Content
        ) {
            self.request = request
            self.preview = preview
            self.service = service
            self.content = content
        }

        /// How a picture comes in that was not in memory. With nil it is there at once. Ease-in over 0.2 s by default.
        public func appearing(_ animation: Animation?) -> RemoteImage {
            var copy = self
            copy.animation = animation
            return copy
        }

        public var body: some View {
            if let service {
                ServedImage(
                    service: service, request: request, identity: identity, animation: animation, content: content)
            } else {
                // Another loader is another load.
                OwnedImage(
                    loader: loader, request: request, preview: preview, identity: identity, animation: animation,
                    content: content
                )
                .id(ObjectIdentifier(loader))
            }
        }

        private var identity: ImageIdentity? { request.map(loader.identity) }
    }

    /// Over a model that lives as long as the view does.
    private struct OwnedImage<Content: View>: View {
        @State private var model: ImageModel
        private let request: ImageRequest?
        private let preview: ImageRequest?
        private let identity: ImageIdentity?
        private let animation: Animation?
        private let content: (RemoteImageState) -> Content

        init(
            loader: ImageLoader, request: ImageRequest?, preview: ImageRequest?, identity: ImageIdentity?,
            animation: Animation?, content: @escaping (RemoteImageState) -> Content
        ) {
            _model = State(initialValue: ImageModel(RemoteImageOptions(loader: loader), isOnScreen: false))
            self.request = request
            self.preview = preview
            self.identity = identity
            self.animation = animation
            self.content = content
        }

        var body: some View {
            // Drawn before the task below has run: with the state of this request, never with that of the last one.
            StateView(
                state: model.state(of: request, preview: preview), animation: animation, retry: { model.retry() },
                content: content
            )
            .task(id: identity) {
                model.appear()
                if let request { model.fetch(request, preview: preview) } else { model.request = nil }
            }
            .onDisappear { model.disappear() }
        }
    }

    /// Over a service that somebody else owns.
    private struct ServedImage<Content: View>: View {
        let service: any RemoteImageService
        let request: ImageRequest?
        let identity: ImageIdentity?
        let animation: Animation?
        let content: (RemoteImageState) -> Content

        var body: some View {
            StateView(state: service.state, animation: animation, retry: { service.retry() }, content: content)
                .task(id: identity) {
                    service.appear()
                    if let request { service.fetch(request) }
                }
                .onDisappear { service.disappear() }
        }
    }

    /// One state, coming in slowly unless it was at hand.
    private struct StateView<Content: View>: View {
        let state: RemoteImageState
        let animation: Animation?
        let retry: @MainActor @Sendable () -> Void
        let content: (RemoteImageState) -> Content

        var body: some View {
            ZStack { content(state) }
                .environment(\.retryRemoteImage, RetryRemoteImage(action: retry))
                .animation(state.image?.wasAtHand == true ? nil : animation, value: state.image != nil)
        }
    }
#endif
