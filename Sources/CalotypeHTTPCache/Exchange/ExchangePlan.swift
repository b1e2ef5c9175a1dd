internal import CalotypeHTTP

/// The finding in the store, and the decision about it.
struct ExchangePlan: Sendable {
    let variants: [StoredVariant]
    let decision: CacheDecision
    /// How many changes the store had seen when it was looked at.
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

    /// The same without a condition or range of ours.
    var forwarding: ExchangePlan { ExchangePlan(variants, .forward(reason), seen: seen) }
}
