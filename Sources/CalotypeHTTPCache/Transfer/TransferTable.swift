internal import CalotypeBase
internal import CalotypeHTTP

/// The downloads in flight whose head has arrived and whose body is not stored yet, by key.
final class TransferTable: Sendable {
    struct Item: Sendable {
        let variant: StoredVariant
        let transfer: Transfer
        /// The body's identity, which has no text until the body is stored; `nil` if the cache computes no identities.
        let identity: BodyIdentity?
    }

    private let items = Locked([ByteString: [Item]]())

    var count: Int { items.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    /// Returns the downloads that a reader can still join.
    func items(for key: ByteString) -> [Item] {
        items.withLock { $0[key] ?? [] }.filter { $0.transfer.isJoinable }
    }

    func add(_ item: Item, for key: ByteString) { items.withLock { $0[key, default: []].append(item) } }

    func remove(_ transfer: Transfer, for key: ByteString) {
        items.withLock { items in
            guard var list = items[key] else { return }
            list.removeAll { $0.transfer === transfer }
            items[key] = list.isEmpty ? nil : list
        }
    }

    /// Removes and returns the downloads for the key, so that no further request joins them.
    func removeAll(for key: ByteString) -> [Item] { items.withLock { $0.removeValue(forKey: key) ?? [] } }

    func removeAll() -> [Item] {
        items.withLock { items in
            defer { items = [:] }
            return items.values.flatMap { $0 }
        }
    }
}
