#if canImport(SwiftUI)
    public import Calotype
    import CalotypeCodecs
    public import SwiftUI

    /// A view of a remote image.
    ///
    /// ```swift
    /// RemoteImage(source: url)
    /// RemoteImage(source: ImageRequest(url, size: ResizeTarget(width: 300))) { ProgressView() }
    /// RemoteImage(url: url) { error in
    ///     Text(error.localizedDescription)
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
        @Environment(\.displayScale) private var displayScale
        /// The size to decode for the view's width, once that is known.
        @State private var target: ResizeTarget?
        private var sizesToView: Bool
        private let request: ImageRequest?
        private let preview: ImageRequest?
        private let service: (any RemoteImageService)?
        private var animation: Animation? = .easeIn(duration: 0.2)
        private var playback = AnimationPlayback.automatic
        private let content: (RemoteImageState) -> Content

        /// Draws every state as `content` says.
        ///
        /// - Parameters:
        ///   - source: a URL, a URLRequest or an ImageRequest.
        ///   - preview: what may be shown until the image is there, if it is in memory: the same at another size.
        public init(
            source: some RemoteImageSource, preview: ImageRequest? = nil,
            @ViewBuilder content: @escaping (RemoteImageState) -> Content
        ) {
            self.init(source.imageRequest, preview: preview, service: nil, sizesToView: false, content)
        }

        init(
            _ request: ImageRequest?, preview: ImageRequest?, service: (any RemoteImageService)?, sizesToView: Bool,
            _ content: @escaping (RemoteImageState) -> Content
        ) {
            self.request = request
            self.preview = preview
            self.service = service
            self.sizesToView = sizesToView
            self.content = content
        }

        /// Decodes a request without a size as wide as the view, in pixels, and again when the view has grown. The load starts
        /// after the first layout.
        ///
        /// On for the initializers that draw the image themselves. With closures of your own it is off by default: turn it on
        /// where these take all of the width from the start.
        public func sizedToView(_ sizes: Bool = true) -> RemoteImage {
            var copy = self
            copy.sizesToView = sizes
            return copy
        }

        /// How an image comes in that was not in memory. With nil it is there at once. Ease-in over 0.2 s by default.
        public func appearing(_ animation: Animation?) -> RemoteImage {
            var copy = self
            copy.animation = animation
            return copy
        }

        /// How an animation plays: as its file says by default. Not where the system reduces motion. A `service:` decides for
        /// itself.
        public func plays(_ playback: AnimationPlayback) -> RemoteImage {
            var copy = self
            copy.playback = playback
            return copy
        }

        public var body: some View {
            if sizesToView {
                shown(sizedRequest).onGeometryChange(for: CGFloat.self, of: { $0.size.width }, action: widthChanged)
            } else {
                shown(request)
            }
        }

        /// `nil` before the first layout.
        private var sizedRequest: ImageRequest? {
            guard var request, case .none = request.size else { return request }
            guard let target else { return nil }
            request.size = target
            return request
        }

        private func widthChanged(_ width: CGFloat) {
            guard let new = ResizeTarget(points: width, scale: displayScale) else { return }
            if target?.isOutgrown(by: new) ?? true { target = new }
        }

        @ViewBuilder
        private func shown(_ request: ImageRequest?) -> some View {
            let task = RemoteImageTask(request, in: loader)
            // Another service, or another loader, is another load.
            if let service {
                ServedImage(
                    service: service, request: request, preview: preview, task: task, animation: animation,
                    content: content
                )
                .id(ObjectIdentifier(service))
            } else {
                OwnedImage(loader: loader, playback: playback) { model in
                    ServedImage(
                        service: model, request: request, preview: preview, task: task, animation: animation,
                        content: content)
                }
                .id(Ownership(loader: ObjectIdentifier(loader), playback: playback))
            }
        }
    }

    /// What a model depends on.
    private struct Ownership: Hashable {
        let loader: ObjectIdentifier
        let playback: AnimationPlayback
    }

    /// Owns a model that lives as long as the view does.
    private struct OwnedImage<Content: View>: View {
        @State private var model: ImageModel
        private let content: (ImageModel) -> Content

        init(loader: ImageLoader, playback: AnimationPlayback, content: @escaping (ImageModel) -> Content) {
            AnimationPermission.followSystem()
            var options = RemoteImageOptions(loader: loader)
            options.plays = playback
            _model = State(initialValue: ImageModel(options, isOnScreen: false))
            self.content = content
        }

        var body: some View { content(model) }
    }

    /// The image of a request, by a service.
    private struct ServedImage<Content: View>: View {
        let service: any RemoteImageService
        let request: ImageRequest?
        let preview: ImageRequest?
        let task: RemoteImageTask
        let animation: Animation?
        let content: (RemoteImageState) -> Content

        var body: some View {
            // Drawn before the task below has run: with the state of this request, never with that of the last one.
            StateView(
                state: service.state(of: request, preview: preview), animation: animation,
                retry: { service.retry() }, content: content
            )
            .task(id: task) { service.present(request, preview: preview) }
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
