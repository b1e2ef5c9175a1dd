package import Calotype
import CalotypeBase
package import CalotypeCodecs

/// Binds one view to its latest request: does with a loader what ``ViewBinding`` decides.
///
/// The views of all toolkits are built on it. With the image in memory, `onChange` is called before
/// ``show(_:preview:)`` returns; otherwise later, on the main actor. Releasing the binder ends its load.
@MainActor
package final class ImageBinder {
    package let options: RemoteImageOptions
    /// A Boolean value indicating whether an image is shown while its origin is asked for the current one, so that
    /// nothing visible is missing.
    package private(set) var isConfirming = false
    /// The latest request.
    package private(set) var request: ImageRequest?
    /// Called with each new state, in order. Capture the view weakly in it.
    package var onChange: (@MainActor (RemoteImageState) -> Void)?
    /// Called with each frame of an animation after the first. If `nil` (the default), each is a state for `onChange`.
    package var onFrame: (@MainActor (Bitmap) -> Void)?
    /// Called when a load begins, which changes no state.
    package var onStart: (@MainActor () -> Void)?

    private var binding: ViewBinding
    private var identity: ImageIdentity?
    private var place: IdleQueue.Place?
    private var priority: DynamicPriority?
    /// A Boolean value indicating whether the next load is a person's retry.
    private var isRetry = false
    private var load: Load?
    /// Of the animation that is shown, where it is one.
    private var motion: MotionBinding?

    /// - Parameter isOnScreen: whether the view is there already. Off screen, nothing starts before ``appear()``.
    package init(_ options: RemoteImageOptions = RemoteImageOptions(), isOnScreen: Bool = true) {
        self.options = options
        binding = ViewBinding(isOnScreen: isOnScreen, disappearance: options.disappearance)
    }

    deinit {
        load?.cancel()
        // A list that never rests would keep the places of all the rows that have flown past.
        guard let place, let queue = options.idleQueue else { return }
        Task { @MainActor in queue.withdraw(place) }
    }

    /// The state to show now.
    package var state: RemoteImageState { motion?.frame.map { .image($0) } ?? binding.state }

    /// A Boolean value indicating whether the view is on screen and its load has begun: not while it waits for the list
    /// to rest.
    package var isLoadingOnScreen: Bool { binding.isRunning && binding.isOnScreen }

    /// Shows the image of this request from now on; with `nil`, none.
    ///
    /// The request that is shown or in flight already is not started again, except after an error, and except that a
    /// request with the policy `revalidate` or `reloadIgnoringCache` loads again once its load has ended: pull to
    /// refresh. The image shown stays until the new one arrives. Another priority changes that of the load in flight.
    ///
    /// - Parameter preview: what may be shown until then, if it is in memory: the same image at another size.
    package func show(_ request: ImageRequest?, preview: ImageRequest? = nil) {
        if let request { set(request, preview: preview, reloads: true) } else { clear() }
    }

    /// Shows the image of this request as ``show(_:preview:)`` does, but leaves it alone if it is shown already,
    /// whatever its policy.
    ///
    /// For callers that repeat themselves: a body that is evaluated again, a view that reappears, a cell that is rebound.
    package func rebind(_ request: ImageRequest?, preview: ImageRequest? = nil) {
        if let request { set(request, preview: preview, reloads: false) } else { clear() }
    }

    /// The state of a request that may not have been set yet: a view is drawn first, and appears later.
    ///
    /// For the latest request it is ``state``; for any other what memory has of it, and nothing is started.
    package func state(of request: ImageRequest?, preview: ImageRequest? = nil) -> RemoteImageState {
        guard let request else { return .loading() }
        let look = look(for: request)
        if look.identity == identity { return state }
        if let bitmap = look.bitmap { return .image(atHand(bitmap)) }
        let bitmap = look.expired ?? preview.flatMap { known(of: $0) }
        return .loading(preview: standIn(bitmap, look, request))
    }

    /// Asks the origin again after an error, even where a cache has stored the failure; does nothing in other states.
    package func retry() {
        guard binding.hasFailed else { return }
        isConfirming = false
        isRetry = true
        perform(binding.retry())
    }

    /// The view is on screen.
    package func appear() { perform(binding.appear()) }

    /// The view has left the screen.
    package func disappear() { perform(binding.disappear()) }
}

// MARK: Another request, or the same

extension ImageBinder {
    /// - Parameter reloads: whether a person, not code that repeats itself, asks for it.
    package func set(_ request: ImageRequest, preview: ImageRequest?, reloads: Bool) {
        let look = look(for: request)
        let isSame = look.identity == identity
        let reloadsNow = reloads && binding.isShown && options.loader.policy(of: request).loadsAgain
        if isSame, !binding.hasFailed, !reloadsNow { return update(request) }
        if let bitmap = look.bitmap {
            options.loader.noteMemoryHit(request)
            adopt(request, look.identity, isConfirming: false)
            perform(binding.set(inMemory: atHand(bitmap)))
        } else {
            // Of this very image: past its freshness, or about to be loaded again.
            let current = look.expired ?? (isSame ? state.image?.bitmap : nil)
            let bitmap = current ?? preview.flatMap { known(of: $0) }
            adopt(request, look.identity, isConfirming: current != nil)
            perform(binding.set(inMemory: nil, preview: standIn(bitmap, look, request)))
        }
    }

    private func adopt(_ request: ImageRequest, _ identity: ImageIdentity, isConfirming: Bool) {
        self.request = request
        self.identity = identity
        self.isConfirming = isConfirming
        isRetry = false
    }

    /// The same request, in more or less of a hurry.
    private func update(_ request: ImageRequest) {
        self.request = request
        if binding.isOnScreen { priority?.value = request.priority }
    }

    private func clear() {
        request = nil
        identity = nil
        isConfirming = false
        perform(binding.clear())
    }
}

// MARK: Doing what the binding decides

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
        // Last, and only if it is still the latest: an observer may have set another request.
        if let ticket = action.starts, ticket == binding.ticket { start(ticket) }
    }

    /// Whether an animation has been opened.
    package var isMoving: Bool { motion?.isOpen ?? false }

    /// Frames of the animation that were due and never shown.
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
        if let place { options.idleQueue?.withdraw(place) }
        place = nil
        load?.cancel()
        load = nil
        priority = nil
    }

    private func start(_ ticket: ViewBinding.Ticket) {
        guard let queue = options.idleQueue else { return run(ticket) }
        place = queue.add { [weak self] in self?.runAfterRest(ticket) }
    }

    /// The image may have come into memory while the row waited.
    private func runAfterRest(_ ticket: ViewBinding.Ticket) {
        place = nil
        guard let request, let bitmap = look(for: request).bitmap, binding.begin(ticket) else { return run(ticket) }
        perform(binding.finish(ticket, .success(atHand(bitmap))))
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
                    // Not `for await`, which throws any error on systems before iOS 18.
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

    /// What is shown meanwhile stays where it shows more.
    private func receive(_ preview: ImagePreview, for ticket: ViewBinding.Ticket) {
        if case .loading(_, let standIn?) = binding.state, standIn.wasAtHand,
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
        if let request, let identity, let cache = options.cache, !isPersonal, case .success(let image) = result {
            cache.setObject(image.bitmap, forKey: key(of: request, identity))
        }
        perform(binding.finish(ticket, result))
    }
}

// MARK: Memory

extension ImageBinder {
    private func look(for request: ImageRequest) -> MemoryLook {
        var look = options.loader.look(for: request)
        if let cache = options.cache, !options.loader.policy(of: request).loadsAgain,
            let bitmap = cache.object(forKey: key(of: request, look.identity))
        {
            (look.bitmap, look.expired) = (bitmap, nil)
        }
        return look
    }

    /// Something to show of a request meanwhile: what is shown of it, or what memory has, at any age.
    private func known(of request: ImageRequest) -> Bitmap? {
        let look = look(for: request)
        if look.identity == identity, let image = state.image { return image.bitmap }
        return look.bitmap ?? look.expired
    }

    /// Something to show until the image is there: what is known of it, or else what memory or the request has.
    private func standIn(_ bitmap: Bitmap?, _ look: MemoryLook, _ request: ImageRequest) -> LoadedImage? {
        if let bitmap { return atHand(bitmap) }
        if let preview = look.preview, preview.detail.width > look.otherSize?.width ?? 0 {
            return LoadedImage(preview, origin: .memory, wasAtHand: true)
        }
        return (look.otherSize ?? request.placeholder?.bitmap).map { atHand($0) }
    }

    private func atHand(_ bitmap: Bitmap) -> LoadedImage {
        LoadedImage(bitmap: bitmap, origin: .memory, wasAtHand: true)
    }

    private func key(of request: ImageRequest, _ identity: ImageIdentity) -> String {
        options.cacheKeyProvider?(request) ?? identity.cacheKey
    }
}

extension ImagePreview {
    /// A part of the image is no more than a placeholder is. Of two previews of equal detail the one at hand stays: it may be
    /// of a later scan.
    func shows(moreThan standIn: LoadedImage) -> Bool {
        guard let known = standIn.detail?.width else {
            return coversImage ? detail.width >= standIn.bitmap.width : standIn.bitmap.width <= 32
        }
        return coversImage ? detail.width > known : known == 0
    }
}
