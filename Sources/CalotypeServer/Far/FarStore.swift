import CalotypeBase
import CalotypeHTTP

/// The objects that the nodes of a fleet share.
struct FarStore: Sendable {
    let objects: any ObjectStore
    /// The beginning of the names of all its objects, without a slash at its end; empty for none.
    let prefix: ByteString
    /// Whether pages may be read and written. A node closes it until it has learnt the purges of others, by which it judges
    /// pages, and while its clock is wrong, by which others judge those that it writes.
    let reading = FarGate()

    /// Returns the whole name of an object.
    func name(_ rest: ByteString) -> ByteString { prefix.isEmpty ? rest : "\(prefix)/\(rest)" }

    /// Deletes the pages of all results of a source, those of earlier versions included.
    ///
    /// - Parameter source: The URL of the source.
    func remove(source: ByteString) async throws(TransportError) {
        for version in (1...FarPage.version).reversed() {
            try await remove(folder: name("\(FarName.folder(ofSource: source, version: version))/"))
        }
    }

    private func remove(folder: ByteString) async throws(TransportError) {
        var last: ByteString?
        repeat {
            let list = try await objects.list(folder, after: last)
            for name in list.names where name.hasPrefix(folder) { try await objects.remove(name) }
            // A store that repeats itself would have no end.
            guard let next = list.next, last.map({ $0 < next }) ?? true else { return }
            last = next
        } while true
    }
}

/// A switch that is open at first.
final class FarGate: Sendable {
    private let closed = AtomicInteger(0)

    var isOpen: Bool { closed.load() == 0 }
    func open() { closed.store(0) }
    func close() { closed.store(1) }
}
