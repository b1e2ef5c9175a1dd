/// The order in which entries came, and who is to be looked at next: what to keep is decided here, by three rules.
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
struct SieveQueue {
    typealias Node = Int32

    /// Where the entry of a node is found.
    struct Place {
        var tag: UInt64
        var shard: Int
    }

    private struct Link {
        var older: Node
        var newer: Node
        var place: Place
        var isFresh = true
    }

    static let staleRounds: UInt8 = 10
    private static let none: Node = -1

    private var links: [Link] = []
    private var free: [Node] = []
    private var oldest = none
    private var newest = none
    private var hand = none
    private var broom = none
    private var arrivalsToNextRound = 0
    private var oldestFresh = none
    private var freshCount = 0

    private(set) var count = 0

    func place(of node: Node) -> Place { links[Int(node)].place }

    // MARK: The hand

    /// The entry that goes next unless it is marked. Nil: there is none.
    var candidate: Node? {
        let node = hand == Self.none ? oldest : hand
        return node == Self.none ? nil : node
    }

    /// Moves the hand past the candidate; after the newest it starts again with the oldest.
    mutating func spareCandidate() {
        if let candidate { hand = links[Int(candidate)].newer }
    }

    // MARK: The broom

    /// The entry that grows a round older now. To be asked once for each entry that needs room.
    mutating func sweep() -> Node? {
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
    mutating func settle() -> Node? {
        guard freshCount > count / 32, oldestFresh != Self.none else { return nil }
        let settled = oldestFresh
        links[Int(settled)].isFresh = false
        oldestFresh = links[Int(settled)].newer
        freshCount -= 1
        return settled
    }

    // MARK: Changing

    mutating func append(_ place: Place) -> Node {
        let node = insertLink(Link(older: newest, newer: Self.none, place: place))
        if newest == Self.none { oldest = node } else { links[Int(newest)].newer = node }
        newest = node
        if oldestFresh == Self.none { oldestFresh = node }
        freshCount += 1
        count += 1
        return node
    }

    private mutating func insertLink(_ link: Link) -> Node {
        guard let reused = free.popLast() else {
            links.append(link)
            return Node(links.count - 1)
        }
        links[Int(reused)] = link
        return reused
    }

    mutating func remove(_ node: Node) {
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
