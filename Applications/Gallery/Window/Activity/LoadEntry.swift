import Calotype

/// One request as a loader reported it, with its times relative to the recorder's start.
struct LoadEntry: Identifiable, Sendable {
    /// The request's number, from 0.
    let id: Int
    let metrics: ImageLoadMetrics
    let end: Duration

    /// The start, relative to that of the recorder; 0 for a request that began before the recorder.
    var start: Duration { max(end - metrics.duration, .zero) }
    var duration: Duration { end - start }
    var kind: LoadKind { LoadKind(metrics.origin) }
}

/// The layer that answered a request, in the order of cost, or a failure.
enum LoadKind: Int, CaseIterable, Hashable, Sendable {
    case memory, disk, revalidated, network, failed

    /// Stale responses, files and custom sources count as `disk`, because they cost about as much.
    init(_ origin: ImageResponse.Origin?) {
        switch origin {
        case nil: self = .failed
        case .memory: self = .memory
        case .network: self = .network
        case .revalidated: self = .revalidated
        default: self = .disk
        }
    }
}
