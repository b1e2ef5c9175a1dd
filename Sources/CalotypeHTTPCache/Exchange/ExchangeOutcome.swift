internal import CalotypeHTTP

/// The outcome of an exchange with the origin, for all requests that waited for it.
enum ExchangeOutcome: Sendable {
    /// A new response, which is being stored. `wire` is the response for the request that started the exchange.
    case streaming(TransferTable.Item, TransferHold, wire: HTTPResponse, owner: ExchangeID)
    /// A stored variant that the origin has validated or another request has stored. `personal` contains the response
    /// fields meant only for the request that started the exchange.
    case stored(StoredVariant, isConfirmed: Bool, owner: ExchangeID? = nil, personal: HTTPFields = [:])
    /// A response that is not stored, for the request that started the exchange.
    case alone(HTTPResponse, owner: ExchangeID)

    /// The head that other requests may share, or `nil` if there is no such head.
    var head: StoredResponse? {
        switch self {
        case .streaming(let item, _, _, _): item.variant.head
        case .stored(let variant, _, _, _): variant.head
        case .alone: nil
        }
    }
}

/// The key of requests that may share an exchange. Requests after a removal or a purge do not share an earlier exchange.
struct ExchangeFlight: Hashable, Sendable {
    let key: ByteString
    let removals: UInt64
    let purges: PurgeMoments
    /// Part of the key, because an exchange that fails on a constrained network may succeed for another request.
    let allowsConstrainedNetwork: Bool
}

extension ExchangeFlight {
    /// Creates the key of the exchange for a request that arrives now, while the cache has no response for its key.
    init(of request: HTTPRequest, _ key: ByteString, in cache: HTTPCache) {
        self.init(
            key: key, removals: cache.removals.count(for: key), purges: cache.purgeMoments(of: key),
            allowsConstrainedNetwork: request.allowsConstrainedNetwork)
    }
}

/// The number of a request among those to its cache.
typealias ExchangeID = Int
