import Calotype

/// One request as a loader reported it, with its times relative to the recorder's start.
struct LoadEntry: Identifiable, Sendable {
    /// The request's number, from 0.
    let id: Int
    let metrics: ImageLoadMetrics
    let end: Duration

    /// The start. The time of a request that began before the recorder counts from the recorder's start.
    var start: Duration { max(end - metrics.duration, .zero) }
    var duration: Duration { end - start }
    var kind: LoadKind { LoadKind(metrics.origin) }
}

/// The kinds of responses in the order of cost; the rows and colors of the panel.
enum LoadKind: Int, CaseIterable, Hashable, Sendable {
    case memory, disk, revalidated, network, failed

    /// Counts `stale` as disk, and also a file or a custom source, which costs about as much.
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
