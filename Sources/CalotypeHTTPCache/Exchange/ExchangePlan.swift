internal import CalotypeHTTP

/// The variants stored under a request's key, and the decision about the request.
struct ExchangePlan: Sendable {
    let variants: [StoredVariant]
    let decision: CacheDecision
    /// The store's change count at the time of the lookup.
    let seen: UInt64

    init(_ variants: [StoredVariant], _ decision: CacheDecision, seen: UInt64) {
        self.variants = variants
        self.decision = decision
        self.seen = seen
    }

    var heads: [StoredResponse] { variants.map(\.head) }

    var reason: ForwardReason {
        switch decision {
        case .validate(_, let reason), .forward(let reason): reason
        case .resume: .partial
        case .serve, .serveAndRevalidate, .onlyIfCached: .stale
        }
    }

    var validation: Validation? {
        switch decision {
        case .validate(let validation, _), .serveAndRevalidate(_, _, let validation): validation
        default: nil
        }
    }

    /// The plan without the conditions or range that the cache added.
    var forwarding: ExchangePlan { ExchangePlan(variants, .forward(reason), seen: seen) }
}
