import Calotype

/// The latest requests as bars on a common axis, as in a browser's network panel.
///
/// The axis omits idle times: requests after an idle time start at the left again, so that loads of a few milliseconds
/// stay visible, however long before them the previous requests ended.
struct LoadTimeline: Sendable {
    /// The idle time after which requests start at the left again.
    static let rest = Duration.milliseconds(500)

    struct Bar: Equatable, Sendable {
        /// The start, as a fraction of the axis.
        var start: Double
        /// The time for waiting and loading, as a fraction of the axis.
        var loading: Double
        /// The time for decoding, as a fraction of the axis.
        var decoding: Double
    }

    struct Row: Identifiable, Sendable {
        let entry: LoadEntry
        let bar: Bar
        var id: Int { entry.id }
    }

    /// The rows, the latest first.
    let rows: [Row]
    /// The time that the whole axis represents.
    let span: Duration

    /// - Parameter entries: The requests in the order in which they ended.
    init(_ entries: [LoadEntry]) {
        let bursts = LoadTimeline.bursts(entries)
        let span = bursts.map { $0.end - $0.start }.max() ?? .zero
        // At least 1 ms, because memory hits take no measurable time.
        let axis = max(span, .milliseconds(1))
        self.span = span
        rows = bursts.flatMap { burst in
            burst.entries.map { Row(entry: $0, bar: LoadTimeline.bar($0, from: burst.start, axis)) }
        }.reversed()
    }

    private static func bar(_ entry: LoadEntry, from start: Duration, _ axis: Duration) -> Bar {
        let decoding = min(entry.metrics.processing ?? .zero, entry.duration)
        return Bar(
            start: (entry.start - start) / axis, loading: (entry.duration - decoding) / axis,
            decoding: decoding / axis)
    }

    private struct Burst {
        var entries: [LoadEntry]
        var start: Duration
        var end: Duration
    }

    private static func bursts(_ entries: [LoadEntry]) -> [Burst] {
        // Sorted by start: the request that ended last may have begun before all others.
        entries.sorted { ($0.start, $0.id) < ($1.start, $1.id) }.reduce(into: []) { bursts, entry in
            if let last = bursts.last, entry.start - last.end < rest {
                bursts[bursts.count - 1].entries.append(entry)
                bursts[bursts.count - 1].end = max(last.end, entry.end)
            } else {
                bursts.append(Burst(entries: [entry], start: entry.start, end: entry.end))
            }
        }
    }
}
