public import CalotypeBase
import CalotypeMemory
public import Foundation

/// A queue of images to load before views need them: a few at a time, with low priority by default, and never with the
/// last slot of `ImageLoaderOptions.downloads`.
///
/// Skips images that are in memory, waiting or under way already. Ignores failures: a later request for the image tries
/// again. Releasing the prefetcher cancels its loads.
public final class Prefetcher: Sendable {
    /// The cache that receives the loaded images.
    public enum Destination: Sendable {
        /// The memory cache, with decoded images, and the disk store as for any other request.
        case memory
        /// The disk store only, for undecoded images.
        case disk
    }

    private let core: PrefetchCore

    /// - Parameters:
    ///   - limit: The maximum number of concurrent loads. The default is 2.
    ///   - queueLimit: The maximum number of waiting images; `start(_:)` rejects more. The default is 10,000.
    ///   - priority: The priority among other requests. The default is `low`.
    public init(
        loader: ImageLoader, destination: Destination = .memory, limit: Int = 2, queueLimit: Int = 10_000,
        priority: LoadPriority = .low
    ) {
        core = PrefetchCore(
            loader: loader, destination: destination, limit: max(limit, 1), queueLimit: max(queueLimit, 0),
            priority: priority)
    }

    deinit { core.stopAll() }

    /// Appends images to the queue, up to its limit.
    ///
    /// Usually returns before the prefetcher has looked the images up in memory. If the images might not all fit into
    /// the queue, looks them up first, because images that are in memory or in the queue need no further entry. Images
    /// of an earlier call count against the limit until they have been looked up.
    ///
    /// - Returns: The number of requests that did not fit: the last ones in `requests`. Add them again later.
    @discardableResult
    public func start(_ requests: [ImageRequest]) -> Int { core.start(requests) }

    /// Appends the full-size images at `urls` to the queue, like requests for them.
    ///
    /// - Returns: The number of URLs that did not fit: the last ones in `urls`. Add them again later.
    @discardableResult
    public func start(_ urls: [URL]) -> Int { start(urls.map { ImageRequest($0) }) }

    /// Removes images from the queue and cancels their loads. A load stops unless another caller waits for it.
    public func stop(_ requests: [ImageRequest]) { core.stop(requests) }

    /// Removes the full-size images at `urls` from the queue and cancels their loads, like requests for them.
    public func stop(_ urls: [URL]) { stop(urls.map { ImageRequest($0) }) }

    /// Empties the queue and cancels all loads.
    public func stopAll() { core.stopAll() }

    /// Whether the prefetcher starts no further loads. Loads under way continue. `false` by default.
    public var isPaused: Bool {
        get { core.isPaused }
        set { core.isPaused = newValue }
    }

    /// The priority of all loads, waiting or under way.
    public var priority: LoadPriority {
        get { core.priority.value }
        set { core.priority.value = newValue }
    }

    /// Waits until no image waits or loads and the loader's ``ImageLoader/diskStore`` has written its entries, so that a program
    /// may end; or until the caller is cancelled.
    ///
    /// A failed write is a problem of the store, which the next `flush()` throws.
    public func waitUntilIdle() async { await core.waitUntilIdle() }
}

/// The state of a prefetcher. The running loads retain this object and not the prefetcher, which can thus be released.
private final class PrefetchCore: Sendable {
    private typealias Image = (key: CacheKey, request: ImageRequest)

    /// A pending command. A detached task computes the keys of new requests, because that takes long for many images.
    private enum Command {
        case start([ImageRequest])
        case stop([CacheKey])
    }

    private struct State {
        var queue = PriorityLanes<Image>()
        var waiting: [CacheKey: PriorityLanes<Image>.Ticket] = [:]
        var running: [CacheKey: Load] = [:]
        var lastLoad: UInt64 = 0
        var isPaused = false
        var commands: [Command] = []
        /// The number of pending commands. No load starts until it is 0, because a pending command may stop that load.
        var unobeyed = 0
        /// The maximum number of images that the pending commands may add to the queue.
        var expected = 0
        var isObeying = false
        /// The number of calls of `stopAll`.
        var stops = 0

        var isIdle: Bool { waiting.isEmpty && running.isEmpty && unobeyed == 0 }
    }

    private struct Load {
        let id: UInt64
        let task: Task<Void, Never>
    }

    let priority: DynamicPriority
    private let loader: ImageLoader
    private let destination: Prefetcher.Destination
    private let limit: Int
    private let queueLimit: Int
    /// The state, and the queue of the callers of `waitUntilIdle()`.
    private let state = WaitingRoom<State, Void>(State()) { state, _ in state.isIdle }

    init(
        loader: ImageLoader, destination: Prefetcher.Destination, limit: Int, queueLimit: Int, priority: LoadPriority
    ) {
        self.loader = loader
        self.destination = destination
        self.limit = limit
        self.queueLimit = queueLimit
        self.priority = DynamicPriority(priority)
    }

    var isPaused: Bool {
        get { state.read { $0.isPaused } }
        set { update { $0.isPaused = newValue } }
    }

    func start(_ requests: [ImageRequest]) -> Int {
        if requests.isEmpty { return 0 }
        let leftOut: Int? = state.update { state in
            let room = max(queueLimit - state.waiting.count - state.expected, 0)
            guard requests.count <= room || state.unobeyed > 0 else { return nil }
            note(.start(Array(requests.prefix(room))), &state)
            return max(requests.count - room, 0)
        }
        if let leftOut { return leftOut }
        // Images that are in memory or in the queue need no further entry, so look them up before rejecting requests.
        return addThoseWithRoom(missing(requests))
    }

    private func addThoseWithRoom(_ images: [Image]) -> Int {
        update { state in
            let free = state.isPaused ? 0 : max(limit - state.running.count, 0)
            var leftOut = 0
            for image in images where isNew(image, state) {
                if state.waiting.count + state.expected < queueLimit + free {
                    add(image, &state)
                } else {
                    leftOut += 1
                }
            }
            return leftOut
        }
    }

    /// Stops the images now, and again once the pending commands have completed, because those may add the images.
    func stop(_ requests: [ImageRequest]) {
        let images = requests.map { keys(of: $0).keys.image }
        let ended = update { state in
            if state.unobeyed > 0 { note(.stop(images), &state) }
            return takeOut(images, &state)
        }
        for task in ended { task.cancel() }
    }

    func stopAll() {
        let ended = update { state in
            defer { state.running = [:] }
            state.waiting = [:]
            _ = state.queue.removeAll()
            state.stops += 1
            for command in state.commands { settle(command, &state) }
            state.commands = []
            return state.running.values.map(\.task)
        }
        for task in ended { task.cancel() }
    }

    // MARK: Commands, in the order in which they came

    private func note(_ command: Command, _ state: inout State) {
        state.commands.append(command)
        state.unobeyed += 1
        if case .start(let requests) = command { state.expected += requests.count }
        if state.isObeying { return }
        state.isObeying = true
        Task.detached { [self] in obeyAll() }
    }

    private func obeyAll() {
        while let (commands, stops) = takeCommands() {
            for command in commands { obey(command, stops) }
        }
    }

    private func takeCommands() -> (commands: [Command], stops: Int)? {
        state.update { state in
            state.isObeying = !state.commands.isEmpty
            guard state.isObeying else { return nil }
            defer { state.commands = [] }
            return (state.commands, state.stops)
        }
    }

    /// - Parameter stops: The number of calls of `stopAll` so far. If it changes meanwhile, the command adds no images.
    private func obey(_ command: Command, _ stops: Int) {
        switch command {
        case .start(let requests):
            let images = missing(requests)
            update { state in
                settle(command, &state)
                for image in images where state.stops == stops && isNew(image, state) { add(image, &state) }
            }
        case .stop(let images):
            let ended = update { state in
                settle(command, &state)
                return takeOut(images, &state)
            }
            for task in ended { task.cancel() }
        }
    }

    /// - Returns: The loads to cancel.
    private func takeOut(_ images: [CacheKey], _ state: inout State) -> [Task<Void, Never>] {
        images.compactMap { image in
            if let ticket = state.waiting.removeValue(forKey: image) { state.queue.remove(ticket) }
            return state.running.removeValue(forKey: image)?.task
        }
    }

    private func settle(_ command: Command, _ state: inout State) {
        state.unobeyed -= 1
        if case .start(let requests) = command { state.expected -= requests.count }
    }

    /// Returns the images with their keys, except those that are in memory already.
    private func missing(_ requests: [ImageRequest]) -> [Image] {
        requests.compactMap { request in
            let (complete, imageKeys) = keys(of: request)
            if destination == .memory, loader.pipeline.imageInMemory(for: complete, imageKeys) != nil { return nil }
            return (imageKeys.image, request)
        }
    }

    private func keys(of request: ImageRequest) -> (complete: ImageRequest, keys: ImageKeys) {
        let complete = loader.complete(request)
        return (complete, loader.keys(of: complete))
    }

    private func isNew(_ image: Image, _ state: State) -> Bool {
        state.waiting[image.key] == nil && state.running[image.key] == nil
    }

    private func add(_ image: Image, _ state: inout State) {
        state.waiting[image.key] = state.queue.push(image, priority: .normal)
    }

    // MARK: Loads

    func waitUntilIdle() async {
        try? await state.enter(())
        guard !Task.isCancelled else { return }
        try? await loader.diskStore?.writeAllPending()
    }

    private func update<Result>(_ change: (inout State) -> Result) -> Result {
        state.update { state in
            defer { startWaiting(&state) }
            return change(&state)
        }
    }

    private func startWaiting(_ state: inout State) {
        while !state.isPaused, state.unobeyed == 0, state.running.count < limit,
            let (key, request) = state.queue.pop()
        {
            state.waiting[key] = nil
            state.lastLoad += 1
            let id = state.lastLoad
            state.running[key] = Load(id: id, task: Task.detached { [self] in await load(request, key, id) })
        }
    }

    private func load(_ request: ImageRequest, _ key: CacheKey, _ id: UInt64) async {
        await DynamicPriority.$current.withValue(priority) {
            switch destination {
            case .memory: _ = try? await loader.response(for: request)
            case .disk: _ = try? await loader.data(for: request)
            }
        }
        // If this load was stopped, the table may already contain a newer load of the same image.
        update { if $0.running[key]?.id == id { $0.running[key] = nil } }
    }
}
