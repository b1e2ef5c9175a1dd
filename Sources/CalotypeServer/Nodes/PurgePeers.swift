import CalotypeBase
import Foundation

/// The other nodes of a fleet, to which the node that takes a purge passes it on.
protocol PurgePeers: Sendable {
    /// Passes a purge on to each node, all at once, and returns each result.
    func pass(_ purge: PassedPurge) async -> [PeerResult]
}

/// A purge on its way to another node.
struct PassedPurge: Sendable {
    /// The number of the node that has taken the purge. Without this field, the next node would pass the purge on, too.
    static let sender: ByteString = "Calotype-Purge-From"
    /// The name of the purge's object in the far store.
    static let object: ByteString = "Calotype-Purge-Name"

    /// The body of the operator's request.
    let body: Data
    let from: ByteString
    let name: FarPurgeName?
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
