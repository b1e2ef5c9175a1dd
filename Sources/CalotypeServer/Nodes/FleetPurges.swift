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
    /// The purges of the far store, or `nil` without one.
    let far: FarPurges?
    private let peers: (any PurgePeers)?
    /// A random number by which the node recognizes a purge that it has passed on to itself.
    private let number: ByteString
    private let underWay = AtomicInteger(0)

    init(_ control: PurgeControl, peers: (any PurgePeers)? = nil, far: FarPurges? = nil) {
        (self.control, self.peers, self.far) = (control, peers, far)
        let halves = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }
        number = ByteString(halves.joined())
    }

    /// Whether the node knows the purges of others, or has waited for them long enough.
    var isPrepared: Bool { far?.isPrepared ?? true }

    func start(_ clock: any Clock<Duration>) {
        control.start(clock)
        far?.start()
    }

    func stop() {
        control.stop()
        far?.stop()
    }

    /// Puts a purge in force on this node, then on all others.
    ///
    /// - Throws: 503 if too many purges are being passed on. Otherwise the error of this node: nothing is passed on then.
    func take(_ order: PurgeOrder, _ body: Data) async throws(ServerError) -> FleetPurge {
        guard peers != nil || far != nil else {
            return FleetPurge(line: try await control.purge(order.target, isHard: order.isHard))
        }
        guard underWay.add(1) <= Self.limit else {
            _ = underWay.add(-1)
            throw ServerError(503, "too many purges are being passed on to other nodes", retryAfter: 1)
        }
        defer { _ = underWay.add(-1) }
        let line = try await control.purge(order.target, isHard: order.isHard)
        let name = far.map { _ in FarPurgeName(time: line.time) }
        // In a task of its own, which does not end when the operator's connection does.
        return await Task { [self] in await spread(line, name, body) }.value
    }

    private func spread(_ line: PurgeLine, _ name: FarPurgeName?, _ body: Data) async -> FleetPurge {
        async let results = peers?.pass(PassedPurge(body: body, from: number, name: name))
        var purge = FleetPurge(line: line)
        if let far, let name {
            far.note(line, name)
            await far.keepNoted()
            purge.farError = await far.write(line, name)
            purge.isFar = true
        }
        purge.nodes = await results
        return purge
    }

    /// Puts a purge in force that another node has passed on.
    ///
    /// - Parameter name: The name of its object in the far store.
    /// - Returns: `nil` if this node itself has passed it on.
    func take(
        _ order: PurgeOrder, from sender: ByteString, name: FarPurgeName?
    ) async throws(ServerError) -> FleetPurge? {
        guard sender != number else { return nil }
        let line = try await control.purge(order.target, isHard: order.isHard)
        if let far, let name {
            far.note(PurgeLine(time: name.time, order.target, isHard: order.isHard), name)
            await far.keepNoted()
        }
        return FleetPurge(line: line)
    }
}

/// A purge, and its results on other nodes and in the far store.
struct FleetPurge: Encodable, Sendable {
    let line: PurgeLine
    /// The results of other nodes; `nil` if there are none.
    var nodes: [PeerResult]?
    /// Whether the far store gets the purge.
    var isFar = false
    /// The reason why the far store does not have it yet.
    var farError: String?

    /// The reason why the purge may not be in force everywhere; `nil` if it is, or will be: a node that is away learns it
    /// from the far store.
    var failure: String? {
        if let farError { return "the purge is not in the far store yet: \(farError)" }
        let missing = (nodes ?? []).filter { !$0.isInForce }
        guard !missing.isEmpty, !isFar else { return nil }
        return "the purge is not known to be in force on \(missing.map(\.node).joined(separator: ", "))"
    }

    private enum CodingKeys: String, CodingKey {
        case nodes, far, error
    }

    func encode(to encoder: any Encoder) throws {
        try PurgeRecord(line).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(nodes, forKey: .nodes)
        if isFar { try container.encode(farError == nil, forKey: .far) }
        try container.encodeIfPresent(failure, forKey: .error)
    }
}
