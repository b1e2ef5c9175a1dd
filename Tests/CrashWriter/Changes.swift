import CalotypeStore
import CalotypeTesting
import Foundation

/// A sequence of random changes: mostly stores of small and large bodies under a few keys, so that they collide.
struct Changes {
    private var generator: SplitMix
    private let store: DiskStore
    private var count: UInt64 = 0

    init(seed: UInt64, store: DiskStore) {
        generator = SplitMix(seed: seed)
        self.store = store
    }

    /// Makes one change and describes it.
    mutating func makeOne() async -> String {
        count += 1
        let key = "https://example.org/picture/\(UInt64.random(in: 0..<120, using: &generator)).jpg"
        do throws(StoreError) {
            switch Int.random(in: 0..<1000, using: &generator) {
            case ..<700: return try await store(under: key)
            case ..<800:
                try await store.remove(ByteString(key))
                return "removed \(key)"
            case ..<950: return try await read(key)
            case ..<990:
                try await store.flush()
                return "flushed"
            case ..<997:
                try await store.trim(toBytes: 1_000_000)
                return "trimmed"
            default:
                try await store.removeAll()
                return "removed all"
            }
        } catch {
            return "failed \(error)"
        }
    }

    private mutating func store(under key: String) async throws(StoreError) -> String {
        let number = generator.next() &+ count
        let body = CrashContents.body(key: key, number: number, size: bodySize())
        try await store.store(body, metadata: CrashContents.metadata(key: key, number: number), for: ByteString(key))
        return "stored \(key)"
    }

    private mutating func bodySize() -> Int {
        switch Int.random(in: 0..<10, using: &generator) {
        case ..<5: .random(in: 0..<2_000, using: &generator)
        case ..<7: .random(in: 2_000..<32_768, using: &generator)
        default: .random(in: 32_768..<150_000, using: &generator)
        }
    }

    private func read(_ key: String) async throws(StoreError) -> String {
        guard let entry = try await store.entry(for: ByteString(key)) else { return "missed \(key)" }
        guard CrashContents.areGenuine(entry.body, metadata: entry.metadata, key: key) else { return "WRONG \(key)" }
        return "read \(key)"
    }
}
