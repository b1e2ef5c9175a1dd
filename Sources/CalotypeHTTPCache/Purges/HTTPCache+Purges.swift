internal import CalotypeBase
public import CalotypeHTTP
public import Foundation

extension HTTPCache {
    /// Removes the stored responses of an origin that belong to any of the groups by their Cache-Groups (RFC 9875), whichever
    /// users' they are.
    ///
    /// Responses that were requested before are not stored. A stored response counts as gone at once, and leaves the store
    /// when a request finds it. The cache remembers a group in memory: after a restart, a response in a store on disk that no
    /// request has found since counts again.
    ///
    /// - Parameters:
    ///   - groups: The names of the groups. More than 128, or one of more than 128 bytes, stand for all groups of the origin.
    ///   - url: Any http or https URL of the origin. For another one, nothing is removed.
    public func removeStored(inGroups groups: some Sequence<ByteString>, of url: URL) {
        invalidate(CacheGroups(groups), at: HTTPRequest(url))
    }

    func invalidate(_ groups: CacheGroups, at request: HTTPRequest) {
        guard groups != .named([]) else { return }
        self.groups.note(groups, of: rules.key(for: request).originOfURL, at: wallClock.now)
        noteChange()
    }
}

// The judgement of stored responses by the purges. Every way to a stored response asks it.

extension HTTPCache {
    var purgeGeneration: Int { (options.purges?.generation ?? 0) &+ groups.generation }

    func purgeMoments(of key: ByteString) -> PurgeMoments { options.purges?.moments(of: key) ?? .none }

    func purgeEffect(on head: StoredResponse, _ key: ByteString) -> PurgeEffect {
        guard judges else { return .none }
        return moments(of: head, purgeMoments(of: key)).effect(onRequestAt: head.requestTime, now: wallClock.now)
    }

    /// Whether any response may be purged, or be in an invalid group.
    private var judges: Bool { options.purges != nil || groups.generation > 0 }

    /// Returns the moments of the key with those of the response's groups.
    private func moments(of head: StoredResponse, _ moments: PurgeMoments) -> PurgeMoments {
        guard let own = head.head.groups else { return moments }
        var moments = moments
        moments.add(groups.moments(of: own, of: head.url.originOfURL))
        return moments
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
        guard judges, !variants.isEmpty else { return nil }
        let all = purgeMoments(of: key)
        guard all != .none || variants.contains(where: { $0.head.head.groups != nil }) else { return nil }
        let now = wallClock.now
        var (purged, isChanged) = (PurgedVariants(), false)
        for var variant in variants {
            let moments = moments(of: variant.head, all)
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
