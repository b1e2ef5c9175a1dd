import CalotypeBase
import CalotypeHTTP

/// The work for one rendition: the time of each stage, and the outcome in the cache of sources.
///
/// The task that makes the rendition fills it, as ``current``. The request that has waited for it reads it.
final class WorkReport: Sendable {
    @TaskLocal static var current: WorkReport?

    struct Contents: Hashable, Sendable {
        var hasBegun = false
        var queue: Duration?
        var fetch: Duration?
        var decode: Duration?
        var encode: Duration?
        /// "hit", "stale", "revalidated", "fetched" or "coalesced"; `nil` for a local source.
        var source: String?
    }

    private struct State {
        /// The contents without the stage in progress.
        var contents = Contents()
        var running: RunningStage?
    }

    private let state = Locked(State())

    /// The work so far, with the time of the stage in progress: a late rendition is reported before its stage ends.
    var contents: Contents {
        state.withLock { state in
            var contents = state.contents
            if let running = state.running { contents.add(running.elapsed, to: running.stage) }
            return contents
        }
    }

    /// Does work that fills this report, and counts the times.
    func reporting<Value>(to metrics: ServerMetrics, _ body: () async -> Value) async -> Value {
        state.withLock { $0.contents.hasBegun = true }
        let value = await Self.$current.withValue(self) { await body() }
        metrics.took(contents)
        return value
    }

    private func enter(_ stage: RunningStage) { state.withLock { $0.running = stage } }

    /// Adds the time of a stage and enters the next one, unless the first is no longer in progress.
    private func pass(from stage: RunningStage, to next: RunningStage) {
        state.withLock { state in
            guard state.running === stage else { return }
            state.contents.add(stage.elapsed, to: stage.stage)
            state.running = next
        }
    }

    /// Adds the time of the stage in progress.
    ///
    /// - Parameter place: The stage that gets the time if the stage in progress is the queue.
    private func leave(countingQueueAs place: ServerMetrics.Stage = .queue) {
        state.withLock { state in
            guard let running = state.running else { return }
            state.running = nil
            if running.stage == .queue { state.contents.add(.zero, to: .queue) }
            state.contents.add(running.elapsed, to: running.stage == .queue ? place : running.stage)
        }
    }

    func noteSource(_ outcome: CacheOutcome?) {
        guard let outcome else { return }
        let word =
            switch outcome.source {
            case .fresh: "hit"
            case .stale: "stale"
            case .revalidated: "revalidated"
            case .network: outcome.status?.collapsed == true ? "coalesced" : "fetched"
            }
        state.withLock { $0.contents.source = word }
    }

    /// Runs a stage of the current rendition, and adds its time, also if it fails.
    static func timing<Value, Failure: Error>(
        _ stage: ServerMetrics.Stage, by clock: any Clock<Duration>,
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let current else { return try await body() }
        current.enter(RunningStage(stage, clock))
        defer { current.leave() }
        return try await body()
    }

    /// Runs the decode of the current rendition. The time before it calls `begins` is that of the queue, in which the
    /// rendition waits for memory and a thread. A brief decode succeeds without that call.
    static func timingDecode<Value, Failure: Error>(
        by clock: any Clock<Duration>,
        _ body: (_ begins: @escaping @Sendable () -> Void) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let current else { return try await body {} }
        let waiting = RunningStage(.queue, clock)
        current.enter(waiting)
        do throws(Failure) {
            let value = try await body { current.pass(from: waiting, to: RunningStage(.decode, clock)) }
            current.leave(countingQueueAs: .decode)
            return value
        } catch {
            current.leave()
            throw error
        }
    }
}

private final class RunningStage: Sendable {
    let stage: ServerMetrics.Stage
    private let stopwatch: Stopwatch

    init(_ stage: ServerMetrics.Stage, _ clock: any Clock<Duration>) {
        self.stage = stage
        stopwatch = Stopwatch(clock)
    }

    var elapsed: Duration { stopwatch.elapsed() }
}

extension WorkReport.Contents {
    fileprivate mutating func add(_ duration: Duration, to stage: ServerMetrics.Stage) {
        self[keyPath: stage.place] = (self[keyPath: stage.place] ?? .zero) + duration
    }
}

extension ServerMetrics.Stage {
    fileprivate var place: WritableKeyPath<WorkReport.Contents, Duration?> {
        switch self {
        case .queue: \.queue
        case .fetch: \.fetch
        case .decode: \.decode
        case .encode: \.encode
        }
    }
}

extension ServerMetrics {
    /// Counts the times of a rendition's stages.
    func took(_ work: WorkReport.Contents) {
        for stage in Stage.allCases {
            guard let duration = work[keyPath: stage.place] else { continue }
            took(UInt64(max(duration / .nanoseconds(1), 0)), stage)
        }
    }
}
