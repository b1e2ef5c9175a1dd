import CalotypeBase

/// Who may purge, and to whom purges are passed on.
package struct PurgeOptions: Sendable {
    /// The secret of the requests to ``RenditionServer/purges``. The default, `nil`, permits none.
    package var adminToken: AdminToken?
    /// The admin ports of the other nodes, to which purges are passed on. Requires ``adminToken``. Empty by default.
    package var nodes: [NodeAddress] = []
    /// The cache in front, which gets each purge that this node takes. Requires ``adminToken``. The default, `nil`, is none.
    package var front: FrontCache?
    /// What the server does while it may lack purges of other nodes. The default is ``UnknownPurges/send``.
    package var unknown = UnknownPurges.send

    /// The connections of the admin port, more with other nodes, which pass their purges on, and with a cache in front, whose
    /// answers take time.
    package var adminConnections: Int { nodes.isEmpty && front == nil ? 16 : FleetPurges.connections }

    /// Passes purges on to other nodes; `nil` without any.
    func peers(_ clock: any Clock<Duration>) -> (any PurgePeers)? {
        guard let adminToken, !nodes.isEmpty else { return nil }
        return NodePeers(nodes, token: adminToken, clock: clock)
    }

    /// Calls the cache in front; `nil` without one.
    func calls(_ clock: any Clock<Duration>, _ wallClock: WallClock) -> FrontCalls? {
        front.map { FrontCalls($0, clock: clock, wallClock: wallClock) }
    }

    /// The number of descriptors for connections with other nodes and the cache in front.
    func keptDescriptors(of budget: DescriptorBudget) -> Int {
        nodes.isEmpty && front == nil ? 0 : budget.kept(for: 32)
    }
}

/// What a server does with requests while it may lack purges of other nodes: from its start until it knows those before it,
/// and again while it is cut off, because neither another node nor the far store has answered for half a minute.
package enum UnknownPurges: String, CaseIterable, Sendable {
    /// Makes results after the start, instead of sending stored ones; sends stored ones when it is cut off.
    case send
    /// Makes results in both cases; when it is cut off, those of the last half minute are sent again.
    case make
    /// Answers 503.
    case refuse
}
