import CalotypeBase

/// Who may purge, and to whom purges are passed on.
package struct PurgeOptions: Sendable {
    /// The secret of the requests to ``RenditionServer/purges``. The default, `nil`, permits none.
    package var adminToken: AdminToken?
    /// The admin ports of the other nodes, to which purges are passed on. Requires ``adminToken``. Empty by default.
    package var nodes: [NodeAddress] = []

    /// The connections of the admin port, more with other nodes, which pass their purges on.
    package var adminConnections: Int { nodes.isEmpty ? 16 : FleetPurges.connections }

    /// Passes purges on to other nodes; `nil` without any.
    func peers(_ clock: any Clock<Duration>) -> (any PurgePeers)? {
        guard let adminToken, !nodes.isEmpty else { return nil }
        return NodePeers(nodes, token: adminToken, clock: clock)
    }

    /// The number of descriptors for connections with other nodes.
    func keptDescriptors(of budget: DescriptorBudget) -> Int { nodes.isEmpty ? 0 : budget.kept(for: 32) }
}
