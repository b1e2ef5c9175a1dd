internal import CalotypeBase
internal import CalotypeHTTP
package import Foundation

/// An in-memory store with a byte limit: either a cache's only store, or the fast tier in front of a disk store.
package final class MemoryHTTPCacheStore: BodyFileStore {
    private let shards: [Locked<SieveMemory<ByteString, [StoredVariant]>>]
    private let bodies: HeldBodies

    /// - Parameter byteLimit: The memory limit, in bytes. It covers bodies and an estimate of the rest of an entry
    ///   (heads, keys, request fields named in `Vary`, precomputed responses, overhead): about 3 KB for a small entry.
    ///   From 16 MiB on, the variants of one key may together take at most a quarter of it, beyond which the oldest make
    ///   room. Bodies of 64 KiB or more,
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
        change(key) { variants, limit in
            variants.removeAll { old.contains($0.id) }
            guard stored.body != nil || variant.body == nil, Self.cost(of: [stored], key) <= limit else { return }
            variants.append(stored)
            var cost = Self.cost(of: variants, key)
            while cost > limit, variants.count > 1 { cost -= variants.removeFirst().cost + key.count }
        }
    }

    package func update(_ variants: [StoredVariant], for key: ByteString) async {
        change(key) { stored, _ in
            for variant in variants {
                if let place = stored.firstIndex(where: { $0.id == variant.id }) { stored[place].head = variant.head }
            }
        }
    }

    package func remove(_ ids: [StoredVariant.ID]?, for key: ByteString) async {
        change(key) { variants, _ in
            if let ids { variants.removeAll { ids.contains($0.id) } } else { variants = [] }
        }
    }

    package func forgetMemory() { removeAll() }

    package func removeAll() {
        for shard in shards { shard.withLock { $0 = SieveMemory(limit: $0.limit) } }
    }

    /// Replaces all variants of the key, for a store that uses this one as its fast tier. Bodies beyond the limit of a key
    /// are left out, those of the first variants before others.
    package func set(_ variants: [StoredVariant], for key: ByteString) {
        change(key) { former, limit in
            former = variants.map { variant in
                var kept = variant
                kept.body = former.first { $0.id == variant.id }?.body ?? variant.body.flatMap(bodies.counted)
                return kept
            }
            Self.dropBodies(of: &former, key, toFit: limit)
        }
    }

    /// Adds the body to a variant, unless the variant has been removed meanwhile. Returns the same bytes to be read.
    package func set(_ body: Data, of id: StoredVariant.ID, for key: ByteString) -> Data {
        guard let counted = bodies.counted(body) else { return body }
        change(key) { variants, limit in
            guard let place = variants.firstIndex(where: { $0.id == id }) else { return }
            variants[place].body = counted
            Self.dropBodies(of: &variants, key, toFit: limit, keeping: place)
        }
        return counted
    }

    private static func dropBodies(
        of variants: inout [StoredVariant], _ key: ByteString, toFit limit: Int, keeping place: Int? = nil
    ) {
        var cost = cost(of: variants, key)
        for index in variants.indices where cost > limit && index != place {
            cost -= variants[index].body?.count ?? 0
            variants[index].body = nil
        }
        guard let place, cost > limit else { return }
        variants[place].body = nil
    }

    private static func cost(of variants: [StoredVariant], _ key: ByteString) -> Int {
        variants.reduce(200 + key.count) { $0 + $1.cost + key.count }
    }

    /// - Parameter body: Changes the variants. Gets the limit of what one key may cost.
    private func change(_ key: ByteString, _ body: (_ variants: inout [StoredVariant], _ limit: Int) -> Void) {
        shard(key).withLock { memory in
            var variants = memory.value(for: key) ?? []
            body(&variants, memory.limit)
            guard !variants.isEmpty else {
                memory.remove(key)
                return
            }
            memory.set(variants, cost: Self.cost(of: variants, key), for: key)
        }
    }
}

extension StoredVariant {
    /// The estimated memory, in bytes, with the measured `malloc` overhead of objects, arrays and strings.
    var cost: Int {
        let text = head.fields.reduce(0) { $0 + $1.name.count + $1.value.count }
        // The key of the variant repeats the names and values.
        let varying = head.varying.reduce(0) { $0 + 96 + 2 * ($1.name.count + ($1.value?.count ?? 0)) }
        let names = (head.head.groups?.names ?? []).union(head.head.searchVariance?.names ?? [])
        let parsed = names.reduce(0) { $0 + 96 + $1.count }
        let own = 1_000 + 80 * head.fields.count + text + varying + parsed + (body?.count ?? 0)
        // The first hit creates two objects for later ones: the response, and the caller's result made from it.
        let memo = 1_200 + 160 * head.fields.count + text
        return own + memo
    }
}
