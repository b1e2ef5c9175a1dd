import CalotypeBase

/// The renditions that are being made, or wait for memory and a codec thread.
///
/// Each counts once, however many requests wait for it. A stored result is not among them, nor is a rendition whose
/// source has not arrived, so that silent origins leave room for others: `ImageLoaderOptions.queueLimit` bounds those.
///
/// The queue refuses a rendition at once if it is full or, once it knows its pace, if the rendition's turn would come after
/// its deadline.
final class RenditionQueue: Sendable {
    private struct State {
        var count = 0
        var pace = QueuePace()
    }

    private let limit: Int
    private let threads: Int
    private let stopwatch: Stopwatch
    private let state = Locked(State())

    /// - Parameters:
    ///   - limit: The maximum number of renditions, those in progress included.
    ///   - threads: The number of renditions in progress at a time.
    init(limit: Int, threads: Int, clock: any Clock<Duration>) {
        self.limit = max(limit, 1)
        self.threads = max(threads, 1)
        stopwatch = Stopwatch(clock)
    }

    /// The number of renditions in progress or waiting.
    var count: Int { state.withLock { $0.count } }

    /// Throws if a rendition would be refused now: before its source is looked for, which may take long.
    func checkRoom(for time: RenditionTime) throws(ServerError) {
        let left = time.left
        if let refusal = state.withLock({ refusal($0, left) }) { throw refusal }
    }

    /// Runs `make` as one of the renditions in the queue.
    func run<Value>(
        within time: RenditionTime, _ make: () async throws(ServerError) -> Value
    ) async throws(ServerError) -> Value {
        try enter(time)
        do throws(ServerError) {
            let value = try await make()
            leave(isFinished: true)
            return value
        } catch {
            leave(isFinished: error != .cancelled)
            throw error
        }
    }

    private func enter(_ time: RenditionTime) throws(ServerError) {
        let (now, left) = (stopwatch.elapsed(), time.left)
        let refusal: ServerError? = state.withLock { state in
            if let refusal = self.refusal(state, left) { return refusal }
            if state.count == 0 { state.pace.begin(at: now) }
            state.count += 1
            return nil
        }
        if let refusal { throw refusal }
    }

    /// - Parameter isFinished: `false` for a rendition that its clients have left, which shows nothing of the pace.
    private func leave(isFinished: Bool) {
        let now = stopwatch.elapsed()
        state.withLock { state in
            state.count -= 1
            if isFinished { state.pace.finish(at: now) }
        }
    }

    private func refusal(_ state: State, _ left: Duration) -> ServerError? {
        let turn = state.pace.time(for: max(state.count + 1 - threads, 0)) ?? .zero
        if state.count >= limit {
            return .queueFull("\(limit) renditions are being made or wait for it (--queue)", until: turn)
        }
        guard state.pace.isKnown, turn > left else { return nil }
        return .queueFull("the rendition's turn would come in \(turn), after its deadline in \(left)", until: turn)
    }
}

extension ServerError {
    /// Creates the error of a queue that makes no further rendition now.
    ///
    /// - Parameter turn: The time after which the queue has room again, as far as known.
    static func queueFull(_ reason: String, until turn: Duration) -> ServerError {
        let seconds = (turn / .seconds(1)).rounded(.up)
        return .queueFull(reason: reason, retryAfter: Int(min(max(seconds, 1), 60)))
    }
}
