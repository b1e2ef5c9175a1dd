/// The order in which entries came, and a hand that goes around it looking for one to take out.
///
/// SIEVE (Zhang et al., NSDI 2024): a read only marks an entry; nothing moves. The hand starts at the oldest and goes
/// towards the newest; it spares what is marked and takes the mark away. What is read once and never again goes first,
/// which a scan over many pictures does not spoil. The marks live with the entries; the queue knows only the order.
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
    }

    private static let none: Node = -1

    private var links: [Link] = []
    private var free: [Node] = []
    private var oldest = none
    private var newest = none
    private var hand = none

    private(set) var count = 0

    /// The entry that goes next unless it is marked. Nil: there is none.
    var candidate: Node? {
        let node = hand == Self.none ? oldest : hand
        return node == Self.none ? nil : node
    }

    func place(of node: Node) -> Place { links[Int(node)].place }

    /// Moves the hand past the candidate; after the newest it starts again with the oldest.
    mutating func spareCandidate() {
        if let candidate { hand = links[Int(candidate)].newer }
    }

    mutating func append(_ place: Place) -> Node {
        let link = Link(older: newest, newer: Self.none, place: place)
        let node: Node
        if let reused = free.popLast() {
            node = reused
            links[Int(node)] = link
        } else {
            node = Node(links.count)
            links.append(link)
        }
        if newest == Self.none { oldest = node } else { links[Int(newest)].newer = node }
        newest = node
        count += 1
        return node
    }

    mutating func remove(_ node: Node) {
        let link = links[Int(node)]
        if hand == node { hand = link.newer }
        if link.older == Self.none { oldest = link.newer } else { links[Int(link.older)].newer = link.newer }
        if link.newer == Self.none { newest = link.older } else { links[Int(link.newer)].older = link.older }
        free.append(node)
        count -= 1
    }
}
