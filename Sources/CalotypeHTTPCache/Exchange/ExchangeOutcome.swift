internal import CalotypeHTTP

/// The outcome of asking the origin once, for all who wait for it.
enum ExchangeOutcome: Sendable {
    /// A new answer, on its way into the store. `wire` is what the one who asked gets.
    case streaming(TransferTable.Item, TransferHold, wire: HTTPResponse, owner: ExchangeID)
    /// A stored variant answers: the origin has confirmed it, or another request stored it meanwhile. `personal` goes
    /// to the request that asked.
    case stored(StoredVariant, isConfirmed: Bool, owner: ExchangeID? = nil, personal: HTTPFields = [:])
    /// An answer that is not stored: for the one who asked.
    case alone(HTTPResponse, owner: ExchangeID)

    /// The head that may be shared.
    var head: StoredResponse? {
        switch self {
        case .streaming(let item, _, _, _): item.variant.head
        case .stored(let variant, _, _, _): variant.head
        case .alone: nil
        }
    }
}

/// The key of requests that may wait together: an exchange that began before a removal is not for those after it.
struct ExchangeFlight: Hashable, Sendable {
    let key: ByteString
    let removals: UInt64
    /// Part of the key: an exchange that fails on such a network may succeed for another request.
    let allowsConstrainedNetwork: Bool
}

/// Tells a request from the others that wait with it.
typealias ExchangeID = UInt64
