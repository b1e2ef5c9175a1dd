package import Calotype
import CalotypeBase
package import CalotypeCodecs

/// The connection of one view, in any toolkit, to its latest request. ``ViewBinding`` decides when to load and what to
/// show; the binder performs these actions with a loader.
///
/// If the image is in memory, the binder calls `onChange` with it before ``show(_:preview:)`` returns, and otherwise
/// later, on the main actor. Releasing the binder cancels its load.
@MainActor
package final class ImageBinder {
    package private(set) var options: RemoteImageOptions
    /// Whether the view already shows a bitmap of the requested image, which the load confirms or replaces.
    package private(set) var isConfirming = false
    package private(set) var request: ImageRequest?
    /// Called with each new state, in order. Capture the view weakly.
    package var onChange: (@MainActor (RemoteImageState) -> Void)?
    /// Called with each frame of an animation after the first. If `nil` (the default), `onChange` gets the frames.
    package var onFrame: (@MainActor (Bitmap) -> Void)?
    /// Called when a load begins, which does not change the state.
    package var onStart: (@MainActor () -> Void)?

    private var binding: ViewBinding
    private var image: BoundImage?
    private var position: IdleQueue.Position?
    private var priority: DynamicPriority?
    /// Whether the next load is the user's retry.
    private var isRetry = false
    private var load: Load?
    /// The playback of animations, created when the first animated image is shown.
    private var motion: MotionBinding?

    /// - Parameter isOnScreen: Whether the view is on screen already. Off screen, nothing starts before ``appear()``.
    package init(_ options: RemoteImageOptions = RemoteImageOptions(), isOnScreen: Bool = true) {
        self.options = options
        binding = ViewBinding(isOnScreen: isOnScreen, disappearance: options.disappearance)
    }

    deinit {
        load?.cancel()
        // Otherwise, while a list scrolls without a pause, its queue would keep an entry for every row that has passed.
        guard let position, let queue = options.idleQueue else { return }
        Task { @MainActor in queue.withdraw(position) }
    }

    package var state: RemoteImageState { motion?.frame.map { .image($0) } ?? binding.state }

    /// Whether the view is on screen and its load is running. A load that waits in the idle queue is not running.
    package var isLoadingOnScreen: Bool { binding.isRunning && binding.isOnScreen }

    /// Replaces the options. If the request has another cache or another key in them, the next call with a request loads
    /// again; the load in flight still belongs to the former cache.
    ///
    /// - Parameter options: Options with the same loader, idle queue, playback and disappearance.
    func use(_ options: RemoteImageOptions) {
        self.options = options
        guard let request, let image else { return }
        let bound = BoundImage(request, image.identity, in: options)
        if bound == image { self.image = bound }
    }

    /// Shows the image of this request or, with `nil`, no image.
    ///
    /// Showing the same request again loads it again only after an error or, once its load has ended, with the policy
    /// `revalidate` or `reloadIgnoringCache`, as for pull to refresh. The visible image stays until the new one
    /// arrives. A changed priority applies to the load in flight.
    ///
    /// - Parameter preview: A request for the same image at another size, to show in the meantime if it is in memory.
    package func show(_ request: ImageRequest?, preview: ImageRequest? = nil) {
        if let request { set(request, preview: preview, reloads: true) } else { clear() }
    }

    /// Shows the image of this request like ``show(_:preview:)``, but never reloads it if it is shown already.
    ///
    /// For calls that are no refresh by the user: a body is evaluated again, a view reappears, a cell is bound again.
    func rebind(_ request: ImageRequest?, preview: ImageRequest? = nil) {
        if let request { set(request, preview: preview, reloads: false) } else { clear() }
    }

    /// Returns the state of a request that may not be set yet, because a view is drawn before it appears.
    ///
    /// For the latest request this is ``state``; for any other request, the image or preview in memory. Starts nothing.
    func state(of request: ImageRequest?, preview: ImageRequest? = nil) -> RemoteImageState {
        guard let request else { return .loading() }
        let (look, image) = look(for: request)
        if image == self.image { return state }
        if let bitmap = look.bitmap { return .image(cached(bitmap)) }
        let bitmap = look.expired ?? preview.flatMap { known(of: $0) }
        return .loading(preview: standIn(bitmap, look, request))
    }

    /// Requests the image from the origin after an error, even if the failure is cached. Does nothing in other states.
    package func retry() {
        guard binding.hasFailed else { return }
        isConfirming = false
        isRetry = true
        perform(binding.retry())
    }

    /// Resumes loading: the view is on screen.
    package func appear() { perform(binding.appear()) }

    /// Suspends loading: the view has left the screen.
    package func disappear() { perform(binding.disappear()) }
}

// MARK: Setting a request

extension ImageBinder {
    /// - Parameter reloads: Whether an image that is shown already may load again, as in ``show(_:preview:)``.
    package func set(_ request: ImageRequest, preview: ImageRequest?, reloads: Bool) {
        let (look, image) = look(for: request)
        let isSame = image == self.image
        let reloadsNow = reloads && binding.isShown && options.loader.policy(of: request).loadsAgain
        if isSame, !binding.hasFailed, !reloadsNow { return update(request, image) }
        if let bitmap = look.bitmap {
            options.loader.noteMemoryHit(request)
            adopt(request, image, isConfirming: false)
            perform(binding.set(inMemory: cached(bitmap)))
        } else {
            // The requested image's stale bitmap from memory, or its visible bitmap, which is about to be loaded again.
            let current = look.expired ?? (isSame ? state.image?.bitmap : nil)
            let bitmap = current ?? preview.flatMap { known(of: $0) }
            adopt(request, image, isConfirming: current != nil)
            perform(binding.set(inMemory: nil, preview: standIn(bitmap, look, request)))
        }
    }

    private func adopt(_ request: ImageRequest?, _ image: BoundImage?, isConfirming: Bool) {
        self.request = request
        self.image = image
        self.isConfirming = isConfirming
        isRetry = false
    }

    /// Replaces the request by a request for the same image, whose priority may differ.
    private func update(_ request: ImageRequest, _ image: BoundImage) {
        self.request = request
        self.image = image
        if binding.isOnScreen { priority?.value = request.priority }
    }

    /// - Parameter keepsImage: Whether a request follows, for which the view may keep its image.
    func clear(keepsImage: Bool = false) {
        let kept = keepsImage ? keptImage : nil
        adopt(nil, nil, isConfirming: false)
        perform(binding.clear(keeping: kept))
    }
}

// MARK: Performing actions

extension ImageBinder {
    private func perform(_ action: ViewBinding.Action) {
        if action.ends != nil { end() }
        if let isUrgent = action.isUrgent, let request {
            priority?.value = isUrgent ? request.priority : .veryLow
        }
        move()
        if action.shows {
            if let observer = options.observer, let image = binding.state.image { observer(image) }
            onChange?(binding.state)
        }
        // Start last, and only for the latest ticket: an observer may have set another request.
        if let ticket = action.starts, ticket == binding.ticket { start(ticket) }
    }

    /// Whether the visible image is an animation that has been opened, so that it can play.
    package var isMoving: Bool { motion?.isOpen ?? false }

    /// The number of frames of the animation that were due but never shown, because the playback was late.
    package var skippedFrames: Int { motion?.skippedFrames ?? 0 }

    private func move() {
        let image = binding.state.image
        if motion == nil {
            guard let image, image.bitmap.isFirstFrame else { return }
            motion = MotionBinding(options) { [weak self] in self?.frameCame($0) }
        }
        motion?.follow(image, of: request, isVisible: binding.isOnScreen)
    }

    private func frameCame(_ frame: LoadedImage) {
        if let onFrame { onFrame(frame.bitmap) } else { onChange?(.image(frame)) }
    }

    private func end() {
        if let position { options.idleQueue?.withdraw(position) }
        position = nil
        load?.cancel()
        load = nil
        priority = nil
    }

    private func start(_ ticket: ViewBinding.Ticket) {
        guard let queue = options.idleQueue else { return run(ticket) }
        position = queue.add { [weak self] in self?.runAfterRest(ticket) }
    }

    /// When scrolling has paused, shows the image if it is now in memory, and otherwise runs the load.
    private func runAfterRest(_ ticket: ViewBinding.Ticket) {
        position = nil
        guard let request, let bitmap = look(for: request).memory.bitmap, binding.begin(ticket) else {
            return run(ticket)
        }
        perform(binding.finish(ticket, .success(cached(bitmap))))
    }

    private func run(_ ticket: ViewBinding.Ticket) {
        guard var request, binding.begin(ticket) else { return }
        if isRetry { request.policy = options.loader.policy(of: request).forRetry }
        isRetry = false
        request.previews = request.previews ?? options.previews
        let priority = DynamicPriority(request.priority)
        let loader = options.loader
        self.priority = priority
        let load = Load { [weak self, request] in
            await DynamicPriority.$current.withValue(priority) {
                do throws(ImageError) {
                    // Not `for try await`: on systems before iOS 18 its errors are untyped.
                    var events = loader.events(for: request).makeAsyncIterator()
                    while let event = try await events.next() { await self?.receive(event, for: ticket) }
                } catch {
                    await self?.finish(ticket, .failure(error))
                }
            }
        }
        self.load = load
        LoadLauncher.shared.launch(load)
        onStart?()
    }

    private func receive(_ event: ImageEvent, for ticket: ViewBinding.Ticket) {
        if let progress = event.progress { perform(binding.receive(progress, for: ticket)) }
        if let preview = event.preview { receive(preview, for: ticket) }
        guard let response = event.response else { return }
        let image = LoadedImage(bitmap: response.bitmap, origin: response.origin)
        finish(ticket, .success(image), isPersonal: response.isPersonal)
    }

    /// Shows a preview, unless an image from memory is visible that is being confirmed or has at least as much detail.
    private func receive(_ preview: ImagePreview, for ticket: ViewBinding.Ticket) {
        if case .loading(_, let standIn?) = binding.state, standIn.wasCached, !standIn.isOfEarlierRequest,
            isConfirming || !preview.shows(moreThan: standIn)
        {
            return
        }
        perform(binding.receive(LoadedImage(preview, origin: .network), for: ticket))
    }

    private func finish(
        _ ticket: ViewBinding.Ticket, _ result: Result<LoadedImage, ImageError>, isPersonal: Bool = false
    ) {
        guard ticket == binding.ticket else { return }
        load = nil
        priority = nil
        if !isPersonal, case .success(let loaded) = result { image?.store(loaded.bitmap) }
        perform(binding.finish(ticket, result))
    }
}

// MARK: Memory

extension ImageBinder {
    private func look(for request: ImageRequest) -> (memory: MemoryLook, image: BoundImage) {
        var look = options.loader.look(for: request)
        let image = BoundImage(request, look.identity, in: options)
        if !options.loader.policy(of: request).loadsAgain, let bitmap = image.cachedBitmap {
            (look.bitmap, look.expired) = (bitmap, nil)
        }
        return (look, image)
    }

    /// Returns the visible image if it belongs to the request, or else the image in memory, even if it is stale.
    private func known(of request: ImageRequest) -> Bitmap? {
        let (look, image) = look(for: request)
        if image == self.image, let shown = state.image { return shown.bitmap }
        return look.bitmap ?? look.expired
    }

    /// Returns what to show until the image arrives: `bitmap`, a preview or another size in memory, the image of the
    /// request before if the view keeps it, or the placeholder.
    private func standIn(_ bitmap: Bitmap?, _ look: MemoryLook, _ request: ImageRequest) -> LoadedImage? {
        if let bitmap { return cached(bitmap) }
        if let preview = look.preview, preview.detail.width > look.otherSize?.width ?? 0 {
            return LoadedImage(preview, origin: .memory, wasCached: true)
        }
        return look.otherSize.map { cached($0) } ?? keptImage ?? request.placeholder?.bitmap.map { cached($0) }
    }

    /// The visible image, if the view keeps it for another request. A view with a queue is a row that a list may reuse.
    private var keptImage: LoadedImage? {
        guard options.keepsImageWhileLoading, options.idleQueue == nil else { return nil }
        return state.visibleImage?.kept
    }

    private func cached(_ bitmap: Bitmap) -> LoadedImage {
        LoadedImage(bitmap: bitmap, origin: .memory, wasCached: true)
    }
}

extension ImagePreview {
    /// Returns whether this preview may replace the visible image. If both are previews of equal detail, the visible
    /// preview stays, because it may be from a later scan.
    func shows(moreThan standIn: LoadedImage) -> Bool {
        standIn.detail.map { detail.width > $0.width } ?? (detail.width >= standIn.bitmap.width)
    }
}
