internal import CalotypeBase
internal import CalotypeHTTP
package import Foundation

/// An in-memory store with a byte limit: either a cache's only store, or the fast tier in front of a disk store.
package final class MemoryHTTPCacheStore: BodyFileStore {
    private let shards: [Locked<SieveMemory<ByteString, [StoredVariant]>>]
    private let bodies: HeldBodies

    /// - Parameter byteLimit: The memory limit, in bytes. It covers bodies and an estimate of the rest of an entry
    ///   (heads, keys, request fields named in `Vary`, precomputed responses, overhead): about 3 KB for a small entry.
    ///   From 16 MiB on, the variants of one key may together take at most a quarter of it. Bodies of 64 KiB or more,
    ///   in the store or evicted but still being read, may together take twice the limit; beyond that, no such body is
    ///   stored.
    package init(byteLimit: Int = 64 << 20) {
        let count = byteLimit >= 16 << 20 ? 4 : 1
        let limit = max(byteLimit, 0)
        shards = (0..<count).map { _ in Locked(SieveMemory(limit: limit / count)) }
        bodies = HeldBodies(limit: limit.multipliedReportingOverflow(by: 2).overflow ? .max : 2 * limit)
    }

    /// The memory in use, in bytes, counted as for the limit.
    package var byteCount: Int { shards.reduce(0) { sum, shard in sum + shard.withLock { $0.cost } } }

    private func shard(_ key: ByteString) -> Locked<SieveMemory<ByteString, [StoredVariant]>> {
        shards.count == 1 ? shards[0] : shards[Int(UInt(bitPattern: key.hashValue) % UInt(shards.count))]
    }

    package func immediateVariants(of key: ByteString) -> [StoredVariant]? {
        shard(key).withLock { $0.value(for: key) }
    }

    package func surelyLacks(_ key: ByteString) -> Bool { immediateVariants(of: key)?.isEmpty ?? true }

    package func variants(of key: ByteString) async -> [StoredVariant] { immediateVariants(of: key) ?? [] }

    package func body(of variant: StoredVariant, for key: ByteString) async -> Data? {
        immediateVariants(of: key)?.first { $0.id == variant.id }?.body
    }

    package func store(_ variant: StoredVariant, for key: ByteString, replacing old: [StoredVariant.ID]) async {
        var stored = variant
        stored.body = variant.body.flatMap(bodies.counted)
        change(key) { variants in
            variants.removeAll { old.contains($0.id) }
            guard stored.body != nil || variant.body == nil else { return }
            variants.append(stored)
            if variants.count > StoredVariant.limit { variants.removeFirst(variants.count - StoredVariant.limit) }
        }
    }

    package func update(_ variants: [StoredVariant], for key: ByteString) async {
        change(key) { stored in
            for variant in variants {
                if let place = stored.firstIndex(where: { $0.id == variant.id }) { stored[place].head = variant.head }
            }
        }
    }

    package func remove(_ ids: [StoredVariant.ID]?, for key: ByteString) async {
        change(key) { variants in
            if let ids { variants.removeAll { ids.contains($0.id) } } else { variants = [] }
        }
    }

    package func forgetMemory() { removeAll() }

    package func removeAll() {
        for shard in shards { shard.withLock { $0 = SieveMemory(limit: $0.limit) } }
    }

    /// Replaces all variants of the key, for a store that uses this one as its fast tier.
    package func set(_ variants: [StoredVariant], for key: ByteString) {
        change(key) { former in
            former = variants.map { variant in
                var kept = variant
                kept.body = former.first { $0.id == variant.id }?.body ?? variant.body.flatMap(bodies.counted)
                return kept
            }
        }
    }

    /// Adds the body to a variant, unless the variant has been removed meanwhile. Returns the same bytes to be read.
    package func set(_ body: Data, of id: StoredVariant.ID, for key: ByteString) -> Data {
        guard let counted = bodies.counted(body) else { return body }
        change(key) { variants in
            if let place = variants.firstIndex(where: { $0.id == id }) { variants[place].body = counted }
        }
        return counted
    }

    private func change(_ key: ByteString, _ body: (inout [StoredVariant]) -> Void) {
        shard(key).withLock { memory in
            var variants = memory.value(for: key) ?? []
            body(&variants)
            guard !variants.isEmpty else {
                memory.remove(key)
                return
            }
            let cost = variants.reduce(200 + key.count) { $0 + $1.cost + key.count }
            memory.set(variants, cost: cost, for: key)
        }
    }
}

extension StoredVariant {
    /// The maximum number of variants per key. A further variant replaces the oldest.
    package static let limit = 16

    /// The estimated memory, in bytes, with the measured `malloc` overhead of objects, arrays and strings.
    var cost: Int {
        let text = head.fields.reduce(0) { $0 + $1.name.count + $1.value.count }
        let varying = head.varying.reduce(0) { $0 + 96 + $1.name.count + ($1.value?.count ?? 0) }
        let own = 1_000 + 80 * head.fields.count + text + varying + (body?.count ?? 0)
        // The first hit creates two objects for later ones: the response, and the caller's result made from it.
        let memo = 1_200 + 160 * head.fields.count + text
        return head.varying.isEmpty ? own + memo : own
    }
}
