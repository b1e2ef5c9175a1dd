import Calotype
import Foundation

/// One request as a loader reported it, with the time at which it ended.
struct LoadEntry: Identifiable, Sendable {
    /// The request's number, from 0.
    let id: Int
    let url: URL?
    /// The layer that answered, or `nil` if the request failed.
    let origin: ImageResponse.Origin?
    /// The start of the request, relative to the recorder's.
    let start: Duration
    let duration: Duration
    /// The time until the bytes were available, or `nil` if there were none.
    let loading: Duration?
    /// The time for decoding and steps, or `nil` without that work.
    let processing: Duration?
    /// The number of encoded bytes.
    let bytes: Int

    var end: Duration { start + duration }

    init(id: Int, _ metrics: ImageLoadMetrics, end: Duration) {
        self.id = id
        url = metrics.url
        origin = metrics.origin
        // The time of a request that began before the recorder counts from the recorder's start.
        start = max(end - metrics.duration, .zero)
        duration = min(metrics.duration, end)
        loading = metrics.loading
        processing = metrics.processing
        bytes = metrics.bytes
    }
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
