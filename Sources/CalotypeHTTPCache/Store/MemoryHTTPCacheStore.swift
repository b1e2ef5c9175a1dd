internal import CalotypeBase
internal import CalotypeHTTP
package import Foundation

/// Keeps stored responses in memory, bounded by bytes, and answers at once.
///
/// The whole store of a cache that needs no disk, or the fast tier in front of one that has it.
package final class MemoryHTTPCacheStore: HTTPCacheStore {
    private let shards: [Locked<SieveMemory<[StoredVariant]>>]

    /// - Parameter byteLimit: The most memory to use, in bytes. It counts bodies, and by estimate all else that an entry
    ///   holds: heads, keys, request fields that `Vary` names, what a hit makes of them, and overhead, some 3 KB for a small
    ///   entry. If it is 16 MiB or more, an answer may take a quarter of it at most.
    package init(byteLimit: Int = 64 << 20) {
        let count = byteLimit >= 16 << 20 ? 4 : 1
        shards = (0..<count).map { _ in Locked(SieveMemory(limit: max(byteLimit, 0) / count)) }
    }

    /// The memory in use, in bytes, counted as for the limit.
    package var byteCount: Int { shards.reduce(0) { sum, shard in sum + shard.withLock { $0.cost } } }

    private func shard(_ key: ByteString) -> Locked<SieveMemory<[StoredVariant]>> {
        shards.count == 1 ? shards[0] : shards[Int(UInt(bitPattern: key.hashValue) % UInt(shards.count))]
    }

    package func immediateVariants(of key: ByteString) -> [StoredVariant]? {
        shard(key).withLock { $0.value(for: key) }
    }

    package func variants(of key: ByteString) async -> [StoredVariant] { immediateVariants(of: key) ?? [] }

    package func body(of variant: StoredVariant, for key: ByteString) async -> Data? {
        immediateVariants(of: key)?.first { $0.id == variant.id }?.body
    }

    package func store(_ variant: StoredVariant, for key: ByteString, replacing old: [StoredVariant.ID]) async {
        change(key) { variants in
            variants.removeAll { old.contains($0.id) }
            variants.append(variant)
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

    /// Puts these in the place of all that is there. For a store of which this is the fast tier.
    package func set(_ variants: [StoredVariant], for key: ByteString) {
        change(key) { $0 = variants }
    }

    /// Adds the body of a variant that is there without it. What has been removed in the meantime stays removed.
    package func set(_ body: Data, of id: StoredVariant.ID, for key: ByteString) {
        change(key) { variants in
            if let place = variants.firstIndex(where: { $0.id == id }) { variants[place].body = body }
        }
    }

    private func change(_ key: ByteString, _ body: (inout [StoredVariant]) -> Void) {
        shard(key).withLock { memory in
            var variants = memory.value(for: key) ?? []
            body(&variants)
            guard !variants.isEmpty else { return memory.remove(key) }
            // The key lies in each head as well.
            let cost = variants.reduce(200 + key.count) { $0 + $1.cost + key.count }
            memory.set(variants, cost: cost, for: key)
        }
    }
}

extension StoredVariant {
    /// The most variants that are kept of one URL; the oldest makes room.
    package static let limit = 16

    /// Bytes of memory, by estimate: objects, arrays and strings, each with what `malloc` adds, as measured.
    var cost: Int {
        let text = head.fields.reduce(0) { $0 + $1.name.count + $1.value.count }
        let varying = head.varying.reduce(0) { $0 + 96 + $1.name.count + ($1.value?.count ?? 0) }
        let own = 1_000 + 80 * head.fields.count + text + varying + (body?.count ?? 0)
        // What hits make of it once, to give it again: the answer, and the caller's product of that.
        let memo = 1_200 + 160 * head.fields.count + text
        return head.varying.isEmpty ? own + memo : own
    }
}
