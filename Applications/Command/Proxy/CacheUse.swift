import CalotypeHTTP

/// The part of the cache in an answer, for the counts.
enum CacheUse: String, CaseIterable, Sendable {
    case hit, stale, revalidated, miss
    /// It did not pass through the cache.
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
