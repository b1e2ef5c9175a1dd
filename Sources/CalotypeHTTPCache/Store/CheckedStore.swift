internal import CalotypeBase
internal import CalotypeHTTP
internal import Foundation

/// A program's own store, whose variants a cache uses only if they can belong to the key.
///
/// A store that confuses its keys or its bodies thus causes misses, and no response of another URL or of another length.
struct CheckedStore: HTTPCacheStore {
    let store: any HTTPCacheStore

    func immediateVariants(of key: ByteString) -> [StoredVariant]? {
        store.immediateVariants(of: key).map { checked($0, key) }
    }

    func variants(of key: ByteString) async throws -> [StoredVariant] {
        checked(try await store.variants(of: key), key)
    }

    private func checked(_ variants: [StoredVariant], _ key: ByteString) -> [StoredVariant] {
        guard !variants.isEmpty else { return [] }
        // A key is a partition, a line feed, and the URL or a name that the request has instead of its URL. A name may
        // contain line feeds itself, a URL may not.
        let isNamed = key.hasPrefix(HTTPCache.namePrefix) || key.contains("\n\(HTTPCache.namePrefix)")
        let url = key.split(separator: 0x0A).last ?? key
        return variants.filter { variant in
            (isNamed || variant.head.url == url) && variant.body.map { $0.count == variant.head.bodyLength } ?? true
        }
    }

    func body(of variant: StoredVariant, for key: ByteString) async throws -> Data? {
        let body = try await store.body(of: variant, for: key)
        return body?.count == variant.head.bodyLength ? body : nil
    }

    func store(_ variant: StoredVariant, for key: ByteString, replacing old: [StoredVariant.ID]) async throws {
        try await store.store(variant, for: key, replacing: old)
    }

    func update(_ variants: [StoredVariant], for key: ByteString) async throws {
        try await store.update(variants, for: key)
    }

    func remove(_ ids: [StoredVariant.ID]?, for key: ByteString) async throws {
        try await store.remove(ids, for: key)
    }

    func removeAll() async throws { try await store.removeAll() }
}
