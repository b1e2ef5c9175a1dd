import CalotypeHTTPCache
import CalotypeTesting
import Foundation
import Synchronization

// Without @testable, and with the public interface alone, as in a program.

/// A program's own store in a dictionary, with the faults of its author.
final class OwnStore: HTTPCacheStore {
    enum Fault: CaseIterable {
        case forgetsBodies, forgetsAll, confusesKeys, confusesBodies
    }

    private struct Page {
        var heads: Data
        var bodies: [UInt64: Data] = [:]
    }

    private let pages = Mutex<[ByteString: Page]>([:])
    private let fault: Fault?
    private let gate: Gate

    init(_ fault: Fault? = nil, gate: Gate = Gate(isOpen: true)) {
        self.fault = fault
        self.gate = gate
    }

    var count: Int { pages.withLock { $0.count } }

    /// The variants of the key in the store, as it has them.
    func stored(_ key: ByteString) -> [StoredVariant] {
        pages.withLock { $0[key].flatMap { [StoredVariant](encodedHeads: $0.heads) } ?? [] }
    }

    func variants(of key: ByteString) async throws -> [StoredVariant] {
        await gate.wait()
        let page = pages.withLock { pages -> Page? in
            switch fault {
            case .forgetsAll: nil
            case .confusesKeys: pages.first { $0.key != key }?.value ?? pages[key]
            default: pages[key]
            }
        }
        return page.flatMap { [StoredVariant](encodedHeads: $0.heads) } ?? []
    }

    func body(of variant: StoredVariant, for key: ByteString) async throws -> Data? {
        await gate.wait()
        return pages.withLock { pages -> Data? in
            switch fault {
            case .forgetsBodies: nil
            case .confusesBodies: Data("another body".utf8)
            default: pages.values.lazy.compactMap { $0.bodies[variant.id] }.first
            }
        }
    }

    func store(_ variant: StoredVariant, for key: ByteString, replacing old: [StoredVariant.ID]) async throws {
        change(key) { variants, bodies in
            variants.removeAll { old.contains($0.id) }
            variants.append(variant)
            bodies[variant.id] = variant.body
        }
    }

    func update(_ variants: [StoredVariant], for key: ByteString) async throws {
        change(key) { stored, _ in
            for variant in variants {
                if let place = stored.firstIndex(where: { $0.id == variant.id }) { stored[place].head = variant.head }
            }
        }
    }

    func remove(_ ids: [StoredVariant.ID]?, for key: ByteString) async throws {
        change(key) { variants, _ in variants.removeAll { ids?.contains($0.id) ?? true } }
    }

    func removeAll() async throws { pages.withLock { $0 = [:] } }

    private func change(_ key: ByteString, _ body: (inout [StoredVariant], inout [UInt64: Data]) -> Void) {
        pages.withLock { pages in
            let page = pages[key]
            var variants = page.flatMap { [StoredVariant](encodedHeads: $0.heads) } ?? []
            var bodies = page?.bodies ?? [:]
            body(&variants, &bodies)
            pages[key] = variants.isEmpty ? nil : Page(heads: variants.encodedHeads, bodies: bodies)
        }
    }
}
