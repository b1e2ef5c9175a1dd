internal import CalotypeBase

// The judgement of stored responses by the purges. Every way to a stored response asks it.

extension HTTPCache {
    var purgeGeneration: Int { options.purges?.generation ?? 0 }

    func purgeMoments(of key: ByteString) -> PurgeMoments { options.purges?.moments(of: key) ?? .none }

    func purgeEffect(on head: StoredResponse, _ key: ByteString) -> PurgeEffect {
        guard options.purges != nil else { return .none }
        return purgeMoments(of: key).effect(onRequestAt: head.requestTime, now: wallClock.now)
    }

    /// The variants of a key as the purges leave them.
    struct PurgedVariants {
        /// The variants that are not absent. Those under a soft purge know since when they are stale.
        var kept: [StoredVariant] = []
        /// The variants under a hard purge, without those that are absent for now.
        var absent: [StoredVariant.ID] = []
    }

    /// Returns `nil` if the purges change none of the variants.
    func purged(_ variants: [StoredVariant], _ key: ByteString) -> PurgedVariants? {
        guard options.purges != nil, !variants.isEmpty else { return nil }
        let moments = purgeMoments(of: key)
        guard moments != .none else { return nil }
        let now = wallClock.now
        var (purged, isChanged) = (PurgedVariants(), false)
        for var variant in variants {
            switch moments.effect(onRequestAt: variant.head.requestTime, now: now) {
            case .none: purged.kept.append(variant)
            case .stale(let time):
                variant.head.staleSince = time
                purged.kept.append(variant)
                isChanged = true
            case .absent:
                let isPurged = moments.known.effect(onRequestAt: variant.head.requestTime, now: now) == .absent
                if isPurged { purged.absent.append(variant.id) }
                isChanged = true
            }
        }
        return isChanged ? purged : nil
    }
}
