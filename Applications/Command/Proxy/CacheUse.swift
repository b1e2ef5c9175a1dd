import CalotypeHTTP

/// The cache's part in a response, as the metrics count it.
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
