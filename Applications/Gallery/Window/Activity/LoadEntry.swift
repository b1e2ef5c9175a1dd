import Calotype

/// One request as a loader reported it, with its times relative to the recorder's start.
struct LoadEntry: Identifiable, Sendable {
    /// The request's number, from 0.
    let id: Int
    let metrics: ImageLoadMetrics
    let end: Duration

    /// The request's start, as the time since the recorder's start; 0 if the request began earlier.
    var start: Duration { max(end - metrics.duration, .zero) }
    var duration: Duration { end - start }
    var kind: LoadKind { LoadKind(metrics.origin) }
}

/// The outcome of a request: the layer that supplied the image, the cheapest first, or a failure.
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
