/// The order in which entries came, and which is considered next: three rules that decide what a cache keeps.
///
/// SIEVE (Zhang et al., NSDI 2024): a read only marks an entry; nothing moves. A hand starts at the oldest and goes
/// towards the newest; it spares what is marked and takes the mark away, and takes out what is not. What is read once
/// and never again goes first, so that a scan over many images spoils nothing. The hand then stays near the newest
/// and would leave behind it what was popular long ago, hence two more:
/// - A broom goes around what the hand has passed, at most once while as many entries come as there are. What nobody
///   read for `staleRounds` of its rounds goes. (Popularity that shifts: 0.99 of LRU's hits, not 0.90.)
/// - The newest thirty-second part of the entries is fresh: reads do not mark it. A cell that comes into view again
///   right after it was loaded tells nothing of later. (Scrolling with such reads: 1.00 of LRU's hits, not 0.34.)
///
/// The marks live with the entries; the queue knows only the order.
///
/// A cache that needs neither the broom nor fresh entries asks for neither: ``sweep()`` and ``settle()`` are calls of
/// their own. `Place` tells where the entry of a node is found.
///
/// Inlinable, so that each cache compiles it for its own places.
@usableFromInline package struct SieveQueue<Place> {
    @usableFromInline package typealias Node = Int32

    @usableFromInline struct Link {
        @usableFromInline var older: Node
        @usableFromInline var newer: Node
        @usableFromInline let place: Place
        @usableFromInline var isFresh = true

        @inlinable init(older: Node, newer: Node, place: Place) {
            self.older = older
            self.newer = newer
            self.place = place
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

    @inlinable package func place(of node: Node) -> Place { links[Int(node)].place }

    // MARK: The hand

    /// The entry that goes next unless it is marked. Nil: there is none.
    @inlinable package var candidate: Node? {
        let node = hand == Self.none ? oldest : hand
        return node == Self.none ? nil : node
    }

    /// Moves the hand past the candidate; after the newest it starts again with the oldest.
    @inlinable package mutating func spareCandidate() {
        if let candidate { hand = links[Int(candidate)].newer }
    }

    // MARK: The broom

    /// The entry that grows a round older now. To be asked once for each entry that needs room.
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

    // MARK: The fresh ones

    /// The entry that is no longer fresh now that others have come. To be asked until there is none.
    @inlinable package mutating func settle() -> Node? {
        guard freshCount > count / 32, oldestFresh != Self.none else { return nil }
        let settled = oldestFresh
        links[Int(settled)].isFresh = false
        oldestFresh = links[Int(settled)].newer
        freshCount -= 1
        return settled
    }

    // MARK: Changing

    @inlinable package mutating func append(_ place: Place) -> Node {
        let node = insertLink(Link(older: newest, newer: Self.none, place: place))
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
