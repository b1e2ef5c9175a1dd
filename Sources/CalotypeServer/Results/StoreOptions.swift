import CalotypeStore

/// The place of a server's stores of sources and of results.
package struct StoreOptions: Sendable {
    static let names = ["sources", "results"]

    /// The path of the folder of both stores, or `nil` to keep sources and results in memory only.
    package var folder: String?
    /// The size limit of each of the two stores, in bytes. The default is 1 GB.
    package var size = 1_000_000_000

    /// The folder of each store, by the store's name. Empty without ``folder``.
    var folders: [(name: String, path: String)] {
        folder.map { folder in Self.names.map { ($0, "\(folder)/\($0)") } } ?? []
    }

    /// Whether a store from an earlier start exists.
    var hasStores: Bool { folders.contains { DiskStore.exists(in: $0.path) } }

    /// Makes the folders, so that a server which cannot write there does not start.
    ///
    /// - Parameter networkFileSystem: Finds the network file system at a path, on which no store works.
    func makeFolders(_ networkFileSystem: (String) -> NetworkFileSystem?) throws(ServerError) {
        guard let folder else { return }
        // Before anything is made there. Each may be a mount, or a link to another file system.
        for path in [folder] + folders.map(\.path) {
            if let system = networkFileSystem(path) { throw ServerError(start: system.refusal(of: folder)) }
        }
        do throws(StoreError) { for (_, path) in folders { try DiskStore.makeFolder(path) } } catch {
            throw ServerError(start: "the store cannot be written: \(error)")
        }
    }
}
