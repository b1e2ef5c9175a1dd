import CalotypeBase
import Foundation

/// The other nodes of a fleet, to which the node that takes a purge passes it on.
protocol PurgePeers: Sendable {
    /// Passes a purge on to each node, all at once, and returns each result.
    func pass(_ purge: PassedPurge) async -> [PeerResult]

    /// Asks each node for its purges.
    ///
    /// - Parameter places: The places in the lists of nodes after which their answers begin.
    /// - Parameter sender: The number of this node.
    func purges(after places: [NodeAddress: PurgePage.Place], from sender: ByteString) async -> [PeerAnswer]
}

/// A purge on its way to another node.
struct PassedPurge: Sendable {
    /// The number of the node that has taken the purge. Without this field, the next node would pass the purge on, too.
    static let sender: ByteString = "Calotype-Purge-From"
    /// The identity of the purge.
    static let identity: ByteString = "Calotype-Purge-Name"

    /// The body of the operator's request.
    let body: Data
    let from: ByteString
    let id: PurgeID
}

/// The answer of a node that was asked for its purges.
struct PeerAnswer: Sendable {
    let node: NodeAddress
    /// Its purges, or `nil` without any: the node is away, has another version, or is this one.
    var page: PurgePage?
    var hasAnswered = false
    var isSelf = false
}

/// A part of the purges of a node.
struct PurgePage: Codable, Sendable {
    /// The field with the place after which the page begins.
    static let after: ByteString = "Calotype-Purges-After"
    /// The size from which on a page has no more lines, and the maximum size of its JSON, in bytes.
    private static let size = 1 << 20
    static let limit = 2 << 20

    /// A place in the list of a node, which begins again when the node does.
    typealias Place = String

    let place: Place
    /// Whether no purges follow.
    let isEnd: Bool
    /// Whether the node has the purges of the whole fleet.
    let isComplete: Bool
    /// The identity and the text of each purge.
    private let lines: [String]

    init(_ list: PurgeList, after place: ByteString, of node: ByteString, isComplete: Bool) {
        let parts = place.split(separator: UInt8(ascii: "-"))
        let number = parts.count == 2 && parts[0] == node ? parts[1].asDigits ?? 0 : 0
        let found = list.purges(after: number)
        var size = 0
        let lines = found.purges.lazy.map { "\($0.id.text) \($0.text)" }.prefix { line in
            defer { size += line.utf8.count }
            return size < Self.size
        }
        self.lines = Array(lines)
        self.place = "\(node)-\(found.first + self.lines.count)"
        isEnd = found.isEnd && self.lines.count == found.purges.count
        self.isComplete = isComplete
    }

    /// The purges; those whose lines are damaged count as hard ones of everything.
    var purges: [Purge] {
        lines.map { line in
            let parts = ByteString(line).split(separator: 0x20, maxSplits: 1)
            let id = PurgeID(parts[0]) ?? PurgeID(time: 0)
            let purge = parts.count == 2 ? Purge(parts[1].bytes, id: id, learnt: id.time) : nil
            return purge ?? Purge(.all, isHard: true, id: id, learnt: id.time)
        }
    }
}

/// The result of a purge on another node. JSON leaves out the properties that are `nil`.
struct PeerResult: Encodable, Hashable, Sendable {
    /// The address of the node, or the name that has no address.
    let node: String
    /// The status of the node's answer.
    var status: Int?
    /// The reason why the purge is not known to be in force there.
    var error: String?
    /// `true` for the node itself, which one of the names may have.
    var itself: Bool?

    var isInForce: Bool { error == nil }

    enum CodingKeys: String, CodingKey {
        case node, status, error
        case itself = "self"
    }
}
