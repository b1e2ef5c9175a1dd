public import Calotype
import CalotypeCodecs
import ResourceProvider

/// Binds one view to its latest request: does with a loader what ``ViewBinding`` says.
///
/// What every toolkit's view stands on. With the picture in memory, `onChange` is called before ``show(_:preview:)``
/// returns; otherwise later, on the main actor. Letting go of the binder ends what it has under way.
@MainActor
public final class ImageBinder {
    public let options: RemoteImageOptions
    /// Whether a picture past its freshness is shown while its origin is asked: nothing to be seen is missing.
    package private(set) var isConfirming = false
    /// The latest request.
    public private(set) var request: ImageRequest?
    /// Told of each new state, in the order in which they come. Hold the view weakly in it.
    public var onChange: (@MainActor (RemoteImageState) -> Void)?

    private var binding: ViewBinding
    private var identity: ImageIdentity?
    private var place: IdleQueue.Place?
    private var priority: DynamicPriority?
    private var load: Load?

    /// - Parameter isOnScreen: whether the view is there already. Off screen, nothing starts before ``appear()``.
    public init(_ options: RemoteImageOptions = RemoteImageOptions(), isOnScreen: Bool = true) {
        self.options = options
        binding = ViewBinding(isOnScreen: isOnScreen, disappearance: options.disappearance)
    }

    deinit {
        load?.cancel()
        // A list that never rests would keep the places of all the rows that have flown past.
        guard let place, let queue = options.idleQueue else { return }
        Task { @MainActor in queue.withdraw(place) }
    }

    /// What to show now.
    public var state: RemoteImageState { binding.state }

    /// Shows the picture of this request from now on; with nil, none.
    ///
    /// The request that is shown already, or is under way, is not started again; after an error it is.
    ///
    /// - Parameter preview: what may be shown until then, if it is in memory: the same picture at another size.
    public func show(_ request: ImageRequest?, preview: ImageRequest? = nil) {
        guard let request else { return clear() }
        let look = look(for: request)
        if look.identity == identity, state.error == nil { return }
        let shown = look.image == nil ? look.expired ?? preview.flatMap { known(of: $0) } : nil
        identity = look.identity
        self.request = request
        isConfirming = look.expired != nil
        perform(binding.set(inMemory: look.image, preview: shown))
    }

    /// What to show of a request that may not have been set yet: a view is drawn first and told of its appearance later.
    ///
    /// For the latest request that is ``state``; for another what memory has of it, and nothing is started.
    public func state(of request: ImageRequest?, preview: ImageRequest? = nil) -> RemoteImageState {
        guard let request else { return .loading() }
        let look = look(for: request)
        if look.identity == identity { return state }
        return look.image.map { .image($0) } ?? .loading(preview: look.expired ?? preview.flatMap { known(of: $0) })
    }

    /// Asks again after an error; does nothing in other states.
    public func retry() {
        if state.error != nil { isConfirming = false }
        perform(binding.retry())
    }

    /// The view is on screen.
    public func appear() { perform(binding.appear()) }

    /// The view has left the screen.
    public func disappear() { perform(binding.disappear()) }

    private func clear() {
        request = nil
        identity = nil
        isConfirming = false
        perform(binding.clear())
    }
}

// MARK: Doing what the binding says

extension ImageBinder {
    private func perform(_ action: ViewBinding.Action) {
        if action.ends != nil { end() }
        if let isUrgent = action.isUrgent, let request {
            priority?.value = isUrgent ? request.priority : .veryLow
        }
        if action.shows {
            if let observer = options.observer, let image = binding.state.image { observer(image) }
            onChange?(binding.state)
        }
        // Last, and only if it is the latest still: whoever was told of the change may have set another request.
        if let ticket = action.starts, ticket == binding.ticket { start(ticket) }
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

    /// The picture may have come into memory while the row waited.
    private func runAfterRest(_ ticket: ViewBinding.Ticket) {
        place = nil
        guard let request, let image = look(for: request).image, binding.begin(ticket) else { return run(ticket) }
        perform(binding.finish(ticket, .success(image)))
    }

    private func run(_ ticket: ViewBinding.Ticket) {
        guard let request, binding.begin(ticket) else { return }
        // Only for a load whose priority may change; the request's own counts without it.
        let priority = options.disappearance == .cancels ? nil : DynamicPriority(request.priority)
        let loader = options.loader
        self.priority = priority
        let load = Load { [weak self] in
            await DynamicPriority.$current.withValue(priority) {
                do throws(ImageError) {
                    for try await event in loader.events(for: request) { await self?.receive(event, for: ticket) }
                } catch {
                    await self?.finish(ticket, .failure(error))
                }
            }
        }
        self.load = load
        LoadLauncher.shared.launch(load)
    }

    private func receive(_ event: ImageEvent, for ticket: ViewBinding.Ticket) {
        if let progress = event.progress { perform(binding.receive(progress, for: ticket)) }
        guard let response = event.response else { return }
        finish(ticket, .success(LoadedImage(bitmap: response.bitmap, origin: response.origin)))
    }

    private func finish(_ ticket: ViewBinding.Ticket, _ result: Result<LoadedImage, ImageError>) {
        guard ticket == binding.ticket else { return }
        load = nil
        priority = nil
        if let request, let identity, let cache = options.cache, case .success(let image) = result {
            cache.setObject(image.bitmap, forKey: key(of: request, identity))
        }
        perform(binding.finish(ticket, result))
    }
}

// MARK: Memory

extension ImageBinder {
    private struct Look {
        let identity: ImageIdentity
        /// To be shown as it is.
        let image: LoadedImage?
        /// To be shown until it is confirmed or replaced.
        let expired: LoadedImage?
    }

    private func look(for request: ImageRequest) -> Look {
        var look = options.loader.look(for: request)
        if let cache = options.cache, let bitmap = cache.object(forKey: key(of: request, look.identity)) {
            (look.bitmap, look.expired) = (bitmap, nil)
        }
        return Look(identity: look.identity, image: atHand(look.bitmap), expired: atHand(look.expired))
    }

    /// Something to show of a request meanwhile: what is shown of it, or what memory has, at any age.
    private func known(of request: ImageRequest) -> LoadedImage? {
        let look = look(for: request)
        if look.identity == identity, let image = state.image { return atHand(image.bitmap) }
        return look.image ?? look.expired
    }

    private func atHand(_ bitmap: Bitmap?) -> LoadedImage? {
        bitmap.map { LoadedImage(bitmap: $0, origin: .memory, wasAtHand: true) }
    }

    private func key(of request: ImageRequest, _ identity: ImageIdentity) -> String {
        options.cacheKeyProvider?(request) ?? identity.cacheKey
    }
}
