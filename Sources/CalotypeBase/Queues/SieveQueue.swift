/// The eviction order of a cache: SIEVE with two additions.
///
/// SIEVE (Zhang et al., NSDI 2024): a read only marks an entry and moves nothing. A hand walks from the oldest entry to
/// the newest. It clears the mark of a marked entry and evicts an unmarked one. Entries read only once leave first, so
/// that a scan over many images does not flush the cache. The hand then stays near the newest entries and would leave
/// formerly popular ones behind, hence the additions:
/// - A broom walks the entries that the hand has passed, at most once per `count` insertions. It evicts entries that
///   went unread for as many of its rounds as the cache allows. (With shifting popularity: 0.99 of LRU's hits instead
///   of 0.90.)
/// - The newest 1/32 of the entries are fresh: reads do not mark them. A read right after the load, by a cell that
///   reappears, does not predict later reads. (Scrolling with such reads: 1.00 of LRU's hits instead of 0.34.)
///
/// The cache keeps the marks; the queue keeps only the order, and for each node the `Location` of the cache's entry. A
/// cache without a broom does not call ``sweep()``; a cache without fresh entries does not call ``settle()``.
///
/// Inlinable, so that each cache specializes it for its own locations.
@usableFromInline package struct SieveQueue<Location> {
    @usableFromInline package typealias Node = Int32

    @usableFromInline struct Link {
        @usableFromInline var older: Node
        @usableFromInline var newer: Node
        @usableFromInline let location: Location
        @usableFromInline var isFresh = true

        @inlinable init(older: Node, newer: Node, location: Location) {
            self.older = older
            self.newer = newer
            self.location = location
        }
    }

    @inlinable static var none: Node { -1 }

    @usableFromInline var links: [Link] = []
    @usableFromInline var free: [Node] = []
    @usableFromInline var oldest: Node = -1
    @usableFromInline var newest: Node = -1
    @usableFromInline var hand: Node = -1
    @usableFromInline var broom: Node = -1
    @usableFromInline var arrivalsToNextRound = 0
    @usableFromInline var oldestFresh: Node = -1
    @usableFromInline var freshCount = 0

    @usableFromInline package internal(set) var count = 0

    @inlinable package init() {}

    @inlinable package func location(of node: Node) -> Location { links[Int(node)].location }

    // MARK: The hand

    /// The next entry to evict unless it is marked, or `nil` if the queue is empty.
    @inlinable package var candidate: Node? {
        let node = hand == Self.none ? oldest : hand
        return node == Self.none ? nil : node
    }

    /// Moves the hand past the candidate; after the newest entry it restarts at the oldest.
    @inlinable package mutating func spareCandidate() {
        if let candidate { hand = links[Int(candidate)].newer }
    }

    // MARK: The broom

    /// Moves the broom past one entry and returns it, or returns `nil` if the next round is not due yet. The caller
    /// counts the rounds of each entry, and calls this once for each insertion that needs space.
    @inlinable package mutating func sweep() -> Node? {
        arrivalsToNextRound -= 1
        if broom == Self.none || broom == hand, arrivalsToNextRound <= 0 {
            broom = oldest
            arrivalsToNextRound = count
        }
        guard broom != Self.none, broom != hand else { return nil }
        defer { broom = links[Int(broom)].newer }
        return broom
    }

    // MARK: Fresh entries

    /// Makes the oldest fresh entry an ordinary one and returns it, or returns `nil` if at most 1/32 of the entries are
    /// fresh. Call this until it returns `nil`.
    @inlinable package mutating func settle() -> Node? {
        guard freshCount > count / 32, oldestFresh != Self.none else { return nil }
        let settled = oldestFresh
        links[Int(settled)].isFresh = false
        oldestFresh = links[Int(settled)].newer
        freshCount -= 1
        return settled
    }

    @inlinable package mutating func append(_ location: Location) -> Node {
        let node = insertLink(Link(older: newest, newer: Self.none, location: location))
        if newest == Self.none { oldest = node } else { links[Int(newest)].newer = node }
        newest = node
        if oldestFresh == Self.none { oldestFresh = node }
        freshCount += 1
        count += 1
        return node
    }

    @inlinable mutating func insertLink(_ link: Link) -> Node {
        guard let reused = free.popLast() else {
            links.append(link)
            return Node(links.count - 1)
        }
        links[Int(reused)] = link
        return reused
    }

    @inlinable package mutating func remove(_ node: Node) {
        let link = links[Int(node)]
        if hand == node { hand = link.newer }
        if broom == node { broom = link.newer }
        if oldestFresh == node { oldestFresh = link.newer }
        if link.isFresh { freshCount -= 1 }
        if link.older == Self.none { oldest = link.newer } else { links[Int(link.older)].newer = link.newer }
        if link.newer == Self.none { newest = link.older } else { links[Int(link.newer)].older = link.older }
        free.append(node)
        count -= 1
    }
}
