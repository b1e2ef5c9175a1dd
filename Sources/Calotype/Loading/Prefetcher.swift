public import CalotypeConcurrency
import CalotypeMemory

/// Loads images before they are asked for: a few at a time, after all requests that callers wait for.
///
/// Skips images in memory, and those that are waiting or under way already. Ignores failures: a later request for the
/// image tries again. Releasing the prefetcher ends what it has under way.
public final class Prefetcher: Sendable {
    /// Where the result is to be.
    public enum Destination: Sendable {
        /// Decoded, in memory; and on disk, as with any request.
        case memory
        /// As bytes, in the disk store; nothing is decoded.
        case disk
    }

    private let core: PrefetchCore

    /// - Parameters:
    ///   - limit: The number of images that load at the same time. The default is 2.
    ///   - queueLimit: The number of images that may wait to be loaded. Those beyond it are left out: see ``start(_:)``.
    ///     The default is 10,000.
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

    /// Adds images behind those that wait, up to the queue's limit.
    ///
    /// - Returns: The number of requests for which there was no room. They are the last of `requests`, and are not loaded
    ///   unless they are added again.
    @discardableResult
    public func start(_ requests: [ImageRequest]) -> Int { core.start(requests) }

    /// Takes images out again. One under way is cancelled, and stops unless somebody else waits for it.
    public func stop(_ requests: [ImageRequest]) { core.stop(requests) }

    /// Takes all out.
    public func stopAll() { core.stopAll() }

    /// While paused nothing starts; what is under way goes on. False at first.
    public var isPaused: Bool {
        get { core.isPaused }
        set { core.isPaused = newValue }
    }

    /// Of what waits and of what is under way.
    public var priority: LoadPriority {
        get { core.priority.value }
        set { core.priority.value = newValue }
    }

    /// Returns when nothing waits and nothing is under way; at once if that is so already, or once cancelled.
    public func idle() async { await core.idle() }
}

/// The state of a prefetcher. The running loads retain it, so that the prefetcher itself can be released.
private final class PrefetchCore: Sendable {
    private struct State {
        var queue = PriorityLanes<(key: CacheKey, request: ImageRequest)>()
        var waiting: [CacheKey: PriorityLanes<(key: CacheKey, request: ImageRequest)>.Ticket] = [:]
        var running: [CacheKey: Load] = [:]
        var lastLoad: UInt64 = 0
        var isPaused = false
        var idlers: [UInt64: UnsafeContinuation<Void, Never>] = [:]
        var lastIdler: UInt64 = 0

        var isIdle: Bool { waiting.isEmpty && running.isEmpty }
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
    private let state = Locked(State())

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
        get { state.withLock { $0.isPaused } }
        set { update { $0.isPaused = newValue } }
    }

    func start(_ requests: [ImageRequest]) -> Int {
        let wanted = requests.filter { destination == .disk || loader.cachedImage(for: $0) == nil }
        let keyed = wanted.map { (key($0), $0) }
        var leftOut = 0
        update { state in
            for (key, request) in keyed where state.waiting[key] == nil && state.running[key] == nil {
                if startsAtOnce(state) || state.waiting.count < queueLimit {
                    state.waiting[key] = state.queue.push((key, request), priority: .normal)
                    startWaiting(&state)
                } else {
                    leftOut += 1
                }
            }
        }
        return leftOut
    }

    private func startsAtOnce(_ state: State) -> Bool { !state.isPaused && state.running.count < limit }

    func stop(_ requests: [ImageRequest]) {
        let keys = requests.map(key)
        var ended: [Task<Void, Never>] = []
        update { state in
            for key in keys {
                if let ticket = state.waiting.removeValue(forKey: key) { state.queue.remove(ticket) }
                if let load = state.running.removeValue(forKey: key) { ended.append(load.task) }
            }
        }
        for task in ended { task.cancel() }
    }

    func stopAll() {
        var ended: [Task<Void, Never>] = []
        update { state in
            ended = state.running.values.map(\.task)
            state.running = [:]
            state.waiting = [:]
            _ = state.queue.removeAll()
        }
        for task in ended { task.cancel() }
    }

    func idle() async {
        let id = state.withLock { state in
            state.lastIdler += 1
            return state.lastIdler
        }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isIdle || Task.isCancelled { return true }
                    state.idlers[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.idlers.removeValue(forKey: id) }?.resume()
        }
    }

    /// Applies what has changed, starts what may start now, and wakes those who wait for the end.
    private func update(_ change: (inout State) -> Void) {
        let idlers: [UnsafeContinuation<Void, Never>] = state.withLock { state in
            change(&state)
            startWaiting(&state)
            guard state.isIdle else { return [] }
            defer { state.idlers = [:] }
            return Array(state.idlers.values)
        }
        for idler in idlers { idler.resume() }
    }

    private func startWaiting(_ state: inout State) {
        while startsAtOnce(state), let (key, request) = state.queue.pop() {
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
        // One that was stopped has left the table; a newer one for the same image may stand there.
        update { if $0.running[key]?.id == id { $0.running[key] = nil } }
    }

    private func key(_ request: ImageRequest) -> CacheKey { loader.keys(of: loader.complete(request)).image }
}
