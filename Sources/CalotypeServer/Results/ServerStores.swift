import CalotypeStore

/// The stores of a server on disk.
struct ServerStores: Sendable {
    /// The store of sources; `nil` if they are kept in memory only.
    let sources: DiskStore?
    /// The store of results; `nil` if they are kept in memory only.
    let results: DiskStore?
    /// Whether there was no store before.
    let isNew: Bool

    /// Opens the stores. The first entry makes one that is missing.
    ///
    /// - Parameter report: Called with a message for each problem of a store.
    init(_ options: StoreOptions, report: @escaping @Sendable (String) -> Void) {
        isNew = !options.hasStores
        let disks = options.folders.map { name, folder in
            var disk = DiskStoreOptions()
            disk.byteLimit = options.size
            disk.maximumAge = nil
            return DiskStore(directory: folder, options: disk) { report("the store of \(name): \($0)") }
        }
        (sources, results) = (disks.first, disks.last)
    }

    /// The stores on disk, by their names.
    var all: [(name: String, disk: DiskStore)] {
        zip(StoreOptions.names, [sources, results]).compactMap { name, disk in disk.map { (name, $0) } }
    }
}
