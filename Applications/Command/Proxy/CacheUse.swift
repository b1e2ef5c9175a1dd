import CalotypeHTTP

/// The way in which the cache served a response, for the metrics.
enum CacheUse: Int, CaseIterable, Sendable {
    case hit, stale, revalidated, miss
    /// The response did not pass through the cache.
    case none

    init(_ response: HTTPResponse) {
        switch response.cacheOutcome?.source {
        case .fresh: self = .hit
        case .stale: self = .stale
        case .revalidated: self = .revalidated
        case .network: self = .miss
        default: self = .none
        }
    }
}
