package import CalotypeBase
import CalotypeCodecs

extension RenditionServer {
    /// The options of a server, by its parts.
    package struct Options: Sendable {
        package var sources: SourceOptions
        package var making = MakingOptions()
        package var stores = StoreOptions()
        package var memory = MemoryOptions()
        /// The far store of results, which other servers share. The default is none.
        package var far: FarOptions?
        package var purging = PurgeOptions()
        package var serving = ServingOptions()
        package var log = LogOptions()
        /// Called with a message for each problem of the stores and of the machine.
        package var report: @Sendable (String) -> Void = { _ in }

        /// - Parameter root: The path of the folder of local sources; empty for sources on the web alone.
        package init(root: LocalPath) { sources = SourceOptions(root: root) }

        package init(root: String) { self.init(root: LocalPath(text: root)) }

        /// The division of the memory.
        package var shares: MemoryShares { memory.shares(isStored: stores.folder != nil) }

        /// The number of descriptors to keep from clients: decoder processes may start at any time, and purges reach other nodes
        /// and the far store however many clients are connected.
        package func keptDescriptors(of budget: DescriptorBudget) -> Int {
            let forFar = far == nil ? 0 : FarOptions.connections(of: budget)
            return budget.kept(for: making.isolation.descriptors) + purging.keptDescriptors(of: budget) + forFar
        }
    }
}
