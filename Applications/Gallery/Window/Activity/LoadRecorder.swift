import Calotype
import CalotypeBase
import CalotypeHTTP
import Foundation

/// The record of the latest requests of a loader, with counts of all of them.
///
/// ```swift
/// let recorder = LoadRecorder()
/// options.onMetrics = recorder.record
/// ```
///
/// Safe to use from any thread. Beyond `limit` requests, the recorder drops the oldest requests, but the counts still
/// include them.
package final class LoadRecorder: Sendable {
    private struct State {
        /// A ring buffer: the entry with number `n` is at `n % limit`.
        var entries: [LoadEntry] = []
        var tally = LoadTally()
    }

    private let state = Locked(State())
    private let limit: Int
    private let stopwatch: Stopwatch

    /// - Parameter limit: The number of requests to keep. The default is 512.
    init(limit: Int = 512, clock: any Clock<Duration> = ContinuousClock()) {
        self.limit = max(limit, 1)
        stopwatch = Stopwatch(clock)
    }

    /// Whether the recorder ignores requests of this task, because they show the user no image, for example requests
    /// for the details of a visible image.
    @TaskLocal static var isPaused = false

    /// Records a finished request, unless it was cancelled or recording is paused. For `ImageLoaderOptions.onMetrics`.
    func record(_ metrics: ImageLoadMetrics) {
        if LoadRecorder.isPaused || metrics.error?.code == .cancelled { return }
        let end = stopwatch.elapsed()
        state.withLock { state in
            let entry = LoadEntry(id: state.tally.total, metrics: metrics, end: end)
            state.tally.add(entry)
            if state.entries.count < limit {
                state.entries.append(entry)
            } else {
                state.entries[entry.id % limit] = entry
            }
        }
    }

    var tally: LoadTally { state.withLock { $0.tally } }

    /// Returns up to `count` of the latest requests, in the order in which they ended.
    func latest(_ count: Int) -> [LoadEntry] {
        state.withLock { state in
            let total = state.tally.total
            let kept = min(count, state.entries.count)
            return (total - kept..<total).map { state.entries[$0 % limit] }
        }
    }

    /// Returns the request that decoded the image of a URL: the latest successful request that was no memory hit.
    /// Returns `nil` if the recorder has no such request, or has dropped it.
    func lastLoad(of url: URL) -> LoadEntry? {
        // Metrics have no user and password.
        let url = url.withoutUserInfo
        return state.withLock { state in
            state.entries.filter { $0.metrics.url == url && ![.failed, .memory].contains($0.kind) }
                .max { $0.id < $1.id }
        }
    }
}

/// The counts of all requests since the recorder began.
struct LoadTally: Equatable, Sendable {
    private var counts = [Int](repeating: 0, count: LoadKind.allCases.count)
    private(set) var decodes = 0

    var total: Int { counts.reduce(0, +) }

    subscript(_ kind: LoadKind) -> Int { counts[kind.rawValue] }

    mutating func add(_ entry: LoadEntry) {
        counts[entry.kind.rawValue] += 1
        if entry.metrics.processing != nil { decodes += 1 }
    }
}
