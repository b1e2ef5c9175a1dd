import Calotype
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
        /// The port for requests in imaginary's form. The default, `nil`, is none.
        package var imaginary: ImaginaryOptions?
        package var log = LogOptions()
        /// Called with a message for each problem of the stores and of the machine.
        package var report: @Sendable (String) -> Void = { _ in }

        /// - Parameter root: The path of the folder of local sources; empty for sources on the web alone.
        package init(root: LocalPath) { sources = SourceOptions(root: root) }

        package init(root: String) { self.init(root: LocalPath(text: root)) }

        /// The division of the memory.
        package var shares: MemoryShares { memory.shares(isStored: stores.folder != nil) }

        /// Returns the place for bodies that clients send, or `nil` if no images are taken.
        ///
        /// - Parameter held: The memory for the beginnings of bodies and, without a folder for stores, for whole ones.
        func uploads(held: HeldOriginals, _ basis: ServerBasis) -> Uploads? {
            guard serving.post.isOn else { return nil }
            return Uploads(serving.post, held, folder: stores.folder, limit: basis.loading.bodyLimit, basis)
        }

        /// The number of descriptors to keep from clients: decoder processes may start at any time, and purges reach other nodes
        /// and the far store however many clients are connected.
        package func keptDescriptors(of budget: DescriptorBudget) -> Int {
            let forFar = far == nil ? 0 : FarOptions.connections(of: budget)
            // Each upload may have a file of its own.
            let forUploads = serving.post.isOn ? serving.post.limit : 0
            let forImaginary = imaginary.map { 2 * $0.connectionLimit + 1 } ?? 0
            return budget.kept(for: making.isolation.descriptors) + purging.keptDescriptors(of: budget) + forFar
                + forUploads + forImaginary
        }
    }
}
