import Calotype
import Foundation

/// One request as a loader reported it, with the time at which it ended.
struct LoadEntry: Identifiable, Sendable {
    /// Counts the requests, from 0.
    let id: Int
    let url: URL?
    /// The layer that answered, or `nil` if the request failed.
    let origin: ImageResponse.Origin?
    /// When the request was made, since the recorder began.
    let start: Duration
    let duration: Duration
    /// The time until the bytes were there, or `nil` if there were none.
    let loading: Duration?
    /// The time for decoding and steps, or `nil` if there was nothing to do.
    let processing: Duration?
    /// The number of encoded bytes.
    let bytes: Int

    var end: Duration { start + duration }

    init(id: Int, _ metrics: ImageLoadMetrics, end: Duration) {
        self.id = id
        url = metrics.url
        origin = metrics.origin
        // A request from before the recorder began counts from there.
        start = max(end - metrics.duration, .zero)
        duration = min(metrics.duration, end)
        loading = metrics.loading
        processing = metrics.processing
        bytes = metrics.bytes
    }
}

/// What requests were answered by, in the order of cost; the rows and colors of the panel.
enum LoadKind: Int, CaseIterable, Hashable, Sendable {
    case memory, disk, revalidated, network, failed

    /// `stale` counts as disk, and so does a file or a custom source, which costs about as much.
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
