internal import CalotypeBase
internal import CalotypeHTTP
internal import Foundation

/// A program's own store, whose variants a cache uses only if they can belong to the key.
///
/// A store that confuses its keys or its bodies thus causes misses, and no response of another URL or of another length.
/// A call that takes longer than `timeout` fails, so that a store that never answers keeps no client waiting for ever.
struct CheckedStore: HTTPCacheStore {
    let store: any HTTPCacheStore
    let timeout: StoreTimeout

    func immediateVariants(of key: ByteString) -> [StoredVariant]? {
        store.immediateVariants(of: key).map { checked($0, key) }
    }

    func variants(of key: ByteString) async throws -> [StoredVariant] {
        checked(try await timeout.limit { [store] in try await store.variants(of: key) }, key)
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
        let body = try await timeout.limit { [store] in try await store.body(of: variant, for: key) }
        return body?.count == variant.head.bodyLength ? body : nil
    }

    func body(of variant: StoredVariant, for key: ByteString, in range: Range<Int>) async throws -> HTTPBody? {
        let body = try await timeout.limit { [store] in try await store.body(of: variant, for: key, in: range) }
        if let whole = body?.whole { return whole.count == range.count ? body : nil }
        return body.map { HTTPBody(MeasuredBody($0, length: range.count, timeout)) }
    }

    func writer(for key: ByteString, length: Int?) async throws -> (any HTTPBodyWriter)? {
        try await store.writer(for: key, length: length)
    }

    func store(_ variant: StoredVariant, for key: ByteString, replacing old: [StoredVariant.ID]) async throws {
        try await timeout.limit { [store] in try await store.store(variant, for: key, replacing: old) }
    }

    func update(_ variants: [StoredVariant], for key: ByteString) async throws {
        try await timeout.limit { [store] in try await store.update(variants, for: key) }
    }

    func remove(_ ids: [StoredVariant.ID]?, for key: ByteString) async throws {
        try await timeout.limit { [store] in try await store.remove(ids, for: key) }
    }

    func removeAll() async throws { try await timeout.limit { [store] in try await store.removeAll() } }
}

/// A body from a program's own store. It fails if it has another length than the stored one, or if the next chunk takes
/// longer than `timeout`.
private final class MeasuredBody: HTTPBodySource {
    private let iterator: Locked<HTTPBody.Iterator>
    private let rest: Locked<Int>
    private let timeout: StoreTimeout

    init(_ body: HTTPBody, length: Int, _ timeout: StoreTimeout) {
        iterator = Locked(body.makeAsyncIterator())
        rest = Locked(length)
        self.timeout = timeout
    }

    func next() async throws(TransportError) -> Data? {
        let chunk: Data?
        do {
            chunk = try await timeout.limit { [iterator] in
                var next = iterator.withLock { $0 }
                defer { iterator.withLock { $0 = next } }
                return try await next.next()
            }
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(.other, "\(error)", underlying: error)
        }
        let left = rest.withLock { rest in
            rest -= chunk?.count ?? 0
            return rest
        }
        guard left >= 0, chunk != nil || left == 0 else { throw .storedBodyGone }
        return chunk
    }
}
