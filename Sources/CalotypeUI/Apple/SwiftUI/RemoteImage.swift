#if canImport(SwiftUI)
    import Calotype
    import CalotypeCodecs
    public import SwiftUI

    /// A view of a remote image.
    ///
    /// ```swift
    /// RemoteImage(url)
    /// RemoteImage(url) { phase in
    ///     if let image = phase.image { image.resizable().scaledToFill() } else { Color.gray }
    /// }
    /// RemoteImage(url) { image in image.resizable() } placeholder: { ProgressView() }
    /// ```
    ///
    /// An image in memory is visible in the first frame. Otherwise the load starts when the view appears, with the
    /// `imageLoader` of the environment, and ends when the view disappears or gets a new source. The view keeps its
    /// state: redrawing its parent starts nothing.
    public struct RemoteImage<Content: View>: View {
        @Environment(\.imageLoader) private var loader
        @Environment(\.displayScale) private var displayScale
        /// The size to decode for the view's width, or `nil` before the first layout.
        @State private var target: ResizeTarget?
        var settings: RemoteImageSettings
        let content: (RemoteImageState) -> Content

        init(_ settings: RemoteImageSettings, _ content: @escaping (RemoteImageState) -> Content) {
            self.settings = settings
            self.content = content
        }

        public var body: some View {
            if settings.sizesToView {
                shown(sizedRequest).onGeometryChange(for: CGFloat.self, of: { $0.size.width }, action: widthChanged)
            } else {
                shown(settings.request)
            }
        }

        /// The request with its size, or `nil` before the first layout.
        private var sizedRequest: ImageRequest? {
            guard var request = settings.request, case .none = request.size else { return settings.request }
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
            // If the service, the loader or the playback changes, `id` makes a new view, which starts another load.
            if let service = settings.service {
                ServedImage(
                    service: service, request: request, settings: settings,
                    task: RemoteImageTask(request, in: loader), content: content
                )
                .id(ObjectIdentifier(service))
            } else {
                OwnedImage(
                    loader: loader, playback: settings.playback, keepsImage: settings.keepsImageWhileLoading
                ) { model in
                    ServedImage(
                        service: model, request: request, settings: settings, task: model.task(for: request),
                        content: content)
                }
                .id(Ownership(loader: ObjectIdentifier(loader), playback: settings.playback))
            }
        }
    }

    struct RemoteImageSettings {
        var request: ImageRequest?
        var preview: ImageRequest?
        var service: (any RemoteImageService)?
        var sizesToView = false
        var playback = AnimationPlayback.automatic
        var keepsImageWhileLoading = false
        var animation: Animation? = .easeIn(duration: 0.2)
        /// The transition of an image that was not in memory. If `nil`, SwiftUI's default transition, which fades.
        var transition: AnyTransition?
        var onSuccess: (@MainActor (LoadedImage) -> Void)?
        var onFailure: (@MainActor (ImageError) -> Void)?
    }

    /// The inputs of a model. If an input changes, the view needs a new model.
    private struct Ownership: Hashable {
        let loader: ObjectIdentifier
        let playback: AnimationPlayback
    }

    /// A view that owns its model for its lifetime.
    private struct OwnedImage<Content: View>: View {
        let loader: ImageLoader
        let playback: AnimationPlayback
        let keepsImage: Bool
        let content: (ImageModel) -> Content
        @Environment(\.remoteImageCache) private var cache
        @Environment(\.remoteImageCacheKeyProvider) private var cacheKeyProvider
        // Not an `ImageModel`, which SwiftUI would create at each redraw of the parent.
        @State var model = LazyModel()

        var body: some View { content(current) }

        /// The model, with the cache and the closure of the current environment.
        private var current: ImageModel {
            let model = model.get(make)
            model.use(cache, keys: cacheKeyProvider, keepsImage: keepsImage)
            return model
        }

        private func make() -> ImageModel {
            AnimationPermission.followSystem()
            var options = RemoteImageOptions(loader: loader)
            options.plays = playback
            return ImageModel(options, isOnScreen: false)
        }
    }

    private struct ServedImage<Content: View>: View {
        let service: any RemoteImageService
        let request: ImageRequest?
        let settings: RemoteImageSettings
        let task: RemoteImageTask
        let content: (RemoteImageState) -> Content
        @State var outcomes = OutcomeReport()

        var body: some View {
            // The body is evaluated before the task below runs, and must not show the state of the previous request.
            let state = service.state(of: request, unsized: settings.request, preview: settings.preview)
            StateView(
                state: state, animation: settings.animation, transition: settings.transition,
                retry: { service.retry() }, content: content
            )
            .task(id: task) {
                // A row that scrolls past may disappear before its task runs.
                guard !Task.isCancelled else { return }
                service.present(request, preview: settings.preview)
            }
            .onDisappear { service.disappear() }
            .onChange(of: state, initial: true) { _, state in tell(state) }
        }

        private func tell(_ state: RemoteImageState) {
            switch outcomes.take(state, of: task) {
            case .success(let image): settings.onSuccess?(image)
            case .failure(let error): settings.onFailure?(error)
            case nil: break
            }
        }
    }

    /// A view of one state, with a transition unless the image was in memory.
    private struct StateView<Content: View>: View {
        let state: RemoteImageState
        let animation: Animation?
        let transition: AnyTransition?
        let retry: @MainActor @Sendable () -> Void
        let content: (RemoteImageState) -> Content

        var body: some View {
            ZStack { content(state) }
                .environment(\.retryRemoteImage, RetryRemoteImage(action: retry))
                .environment(\.remoteImageTransition, transition)
                .animation(state.image?.wasCached == true ? nil : animation, value: state.image != nil)
        }
    }
#endif
