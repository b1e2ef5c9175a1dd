import CalotypeBase
import Foundation

/// The purges of a fleet: the node that takes one passes it on to the others, and writes it into the far store.
final class FleetPurges: Sendable {
    /// The maximum number of purges that are passed on at the same time. Others are refused before they take effect, so
    /// that the admin port always has connections for the purges of other nodes.
    static let limit = 64
    /// The connections of the admin port, of which operators have half.
    static let connections = 2 * limit

    let control: PurgeControl
    let sync: PurgeSync
    private let peers: (any PurgePeers)?
    private let front: FrontCalls?
    private let hasBucket: Bool
    /// The number of purges that are being passed on.
    private let underWay = AtomicInteger(0)

    init(
        _ control: PurgeControl, _ basis: ServerBasis, peers: (any PurgePeers)? = nil, bucket: BucketFeed? = nil,
        front: FrontCalls? = nil, unknown: UnknownPurges = .send
    ) {
        (self.control, self.peers, self.front, hasBucket) = (control, peers, front, bucket != nil)
        sync = PurgeSync(control, basis, peers: peers, bucket: bucket, unknown: unknown)
    }

    func start(_ clock: any Clock<Duration>) {
        control.start(clock)
        sync.start()
    }

    func stop() {
        control.stop()
        sync.stop()
    }

    /// Puts a purge in force on this node, then on all others, and last in the cache in front.
    ///
    /// - Throws: 503 if too many purges are being passed on. Otherwise the error of this node: nothing is passed on then.
    func take(_ order: PurgeOrder, _ body: Data) async throws(ServerError) -> FleetPurge {
        guard peers != nil || hasBucket || front != nil else {
            return FleetPurge(purge: try await control.purge(order.target, isHard: order.isHard))
        }
        guard underWay.add(1) <= Self.limit else {
            _ = underWay.add(-1)
            throw ServerError(503, "too many purges are being passed on to other nodes", retryAfter: 1)
        }
        defer { _ = underWay.add(-1) }
        try sync.checkClock()
        let purge = try await control.purge(order.target, isHard: order.isHard, at: sync.now, isOwed: hasBucket)
        // In a task of its own, which does not end when the operator's connection does.
        return await Task { [self] in await spread(purge, body) }.value
    }

    private func spread(_ purge: Purge, _ body: Data) async -> FleetPurge {
        async let results = peers?.pass(PassedPurge(body: body, from: sync.number, id: purge.id))
        var result = FleetPurge(purge: purge)
        if hasBucket {
            result.farError = await sync.publish(purge)
            result.isFar = true
        }
        result.nodes = await results
        // After the nodes: from them the cache would get the old results again.
        result.front = await front?.purge(purge)
        return result
    }

    /// Puts a purge in force that another node has passed on.
    ///
    /// - Parameter id: Its identity. The default, `nil`, is that of a purge of now.
    /// - Returns: `nil` if this node itself has passed it on.
    func take(_ order: PurgeOrder, from sender: ByteString, id: PurgeID? = nil) async throws(ServerError) -> FleetPurge?
    {
        guard sender != sync.number else { return nil }
        try sync.checkClock()
        let id = id ?? PurgeID(time: sync.now)
        let purge = Purge(order.target, isHard: order.isHard, id: id, learnt: control.now)
        try await control.learn([purge], areNew: true)
        return FleetPurge(purge: purge)
    }

    // MARK: Requests of clients

    /// The error with which requests are answered while purges may be unknown; `nil` if they are answered.
    var refusal: ServerError? {
        sync.refusal.map { ServerError(503, $0, retryAfter: 10) }
    }

    /// Returns the purges of this node after those that another one has learnt; `nil` if this node itself asks for them.
    func page(after place: ByteString, from sender: ByteString?) -> PurgePage? {
        guard sender != sync.number else { return nil }
        return PurgePage(control.list, after: place, of: sync.number, isComplete: sync.isComplete)
    }
}

/// A purge, and its results on other nodes and in the far store.
struct FleetPurge: Encodable, Sendable {
    let purge: Purge
    /// The results of other nodes; `nil` if there are none.
    var nodes: [PeerResult]?
    /// Whether the far store gets the purge.
    var isFar = false
    /// The reason why the far store does not have it yet.
    var farError: String?
    /// The result in the cache in front; `nil` without one.
    var front: FrontResult?

    /// The reason why the purge may not be in force everywhere; `nil` if it is, or will be: a node that is away learns it
    /// from the far store.
    var failure: String? {
        if let farError { return "the purge is not in the far store yet: \(farError)" }
        let missing = (nodes ?? []).filter { !$0.isInForce }
        if !missing.isEmpty, !isFar {
            return "the purge is not known to be in force on \(missing.map(\.node).joined(separator: ", "))"
        }
        return front?.failure
    }

    private enum CodingKeys: String, CodingKey {
        case nodes, far, front, error
    }

    func encode(to encoder: any Encoder) throws {
        try PurgeRecord(purge).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(nodes, forKey: .nodes)
        if isFar { try container.encode(farError == nil, forKey: .far) }
        try container.encodeIfPresent(front, forKey: .front)
        try container.encodeIfPresent(failure, forKey: .error)
    }
}
