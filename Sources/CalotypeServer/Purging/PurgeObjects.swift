import CalotypeBase
import CalotypeHTTP

/// The objects of purges in a far store, and the store's part in them.
struct PurgeObjects: Sendable {
    let objects: any ObjectStore
    /// The beginning of the names, with a slash at its end.
    let folder: ByteString
    /// The age at which the far store deletes results, in seconds: purges last as long.
    let age: Double
    /// Permits that far results are read, or forbids it until the purges are known.
    let setReadable: @Sendable (Bool) -> Void

    init(
        objects: any ObjectStore, folder: ByteString, age: Double, setReadable: @escaping @Sendable (Bool) -> Void
    ) {
        (self.objects, self.folder, self.age, self.setReadable) = (objects, folder, age, setReadable)
    }

    init(_ store: FarStore, age: Double) {
        self.init(objects: store.objects, folder: store.name("purges/"), age: age) {
            [reading = store.reading] isAllowed in
            if isAllowed { reading.open() } else { reading.close() }
        }
    }

    func store(_ line: PurgeLine, _ name: FarPurgeName) async throws(TransportError) {
        try await objects.store(line.text, as: "\(folder)\(name.text)")
    }
}
