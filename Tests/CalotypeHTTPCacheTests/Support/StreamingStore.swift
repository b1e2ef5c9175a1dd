import CalotypeBase
import CalotypeHTTPCache
import CalotypeTesting
import Foundation

// Without @testable, and with the public interface of the cache alone, as in a program.

/// A program's own store that takes bodies while they arrive, with the faults of its author.
final class StreamingStore: HTTPCacheStore {
    struct Traits {
        var isReadable = true
        /// The length of the longest body that gets a writer.
        var limit = Int.max
        /// The number of bytes after which a writer fails.
        var room = Int.max
        var failsToCommit = false
        /// The range of a body is shorter by this number of bytes than it should be.
        var missing = 0
        var opening = Gate(isOpen: true)
        var appending = Gate(isOpen: true)
        var committing = Gate(isOpen: true)
        var reading = Gate(isOpen: true)
    }

    struct Full: Error {}

    private struct State {
        var pages: [ByteString: [StoredVariant]] = [:]
        var bodies: [StoredVariant.ID: Data] = [:]
        var opened = 0
        var writers = 0
        var wholeReads = 0
        var written = 0
    }

    let traits: Traits
    private let state = Locked(State())

    init(_ traits: Traits = Traits()) { self.traits = traits }

    /// The number of writers opened so far.
    var opened: Int { state.withLock { $0.opened } }
    /// The number of writers that the cache has not released.
    var writers: Int { state.withLock { $0.writers } }
    /// The number of bodies read as a whole.
    var wholeReads: Int { state.withLock { $0.wholeReads } }
    /// The number of bytes appended to writers so far.
    var written: Int { state.withLock { $0.written } }
    var variants: [StoredVariant] { state.withLock { $0.pages.values.flatMap { $0 } } }

    func body(of variant: StoredVariant) -> Data? { state.withLock { $0.bodies[variant.id] } }

    func variants(of key: ByteString) async throws -> [StoredVariant] { state.withLock { $0.pages[key] ?? [] } }

    func body(of variant: StoredVariant, for key: ByteString) async throws -> Data? {
        state.withLock { state in
            state.wholeReads += 1
            return state.bodies[variant.id]
        }
    }

    func body(of variant: StoredVariant, for key: ByteString, in range: Range<Int>) async throws -> HTTPBody? {
        guard let body = body(of: variant) else { return nil }
        return HTTPBody(Pieces(body[range].dropLast(traits.missing), traits.reading))
    }

    func writer(for key: ByteString, length: Int?) async throws -> (any HTTPBodyWriter)? {
        await traits.opening.wait()
        guard length ?? 0 <= traits.limit else { return nil }
        state.withLock { state in
            state.opened += 1
            state.writers += 1
        }
        return Writer(self, key)
    }

    func store(_ variant: StoredVariant, for key: ByteString, replacing old: [StoredVariant.ID]) async throws {
        add(variant, variant.body ?? Data(), key, old)
    }

    private func add(_ variant: StoredVariant, _ body: Data, _ key: ByteString, _ old: [StoredVariant.ID]) {
        var head = variant
        head.body = nil
        state.withLock { [head] state in
            state.pages[key, default: []].removeAll { old.contains($0.id) }
            state.pages[key, default: []].append(head)
            for id in old { state.bodies[id] = nil }
            state.bodies[head.id] = body
        }
    }

    func update(_ variants: [StoredVariant], for key: ByteString) async throws {
        state.withLock { state in
            for variant in variants {
                guard let place = state.pages[key]?.firstIndex(where: { $0.id == variant.id }) else { continue }
                state.pages[key]?[place].head = variant.head
            }
        }
    }

    func remove(_ ids: [StoredVariant.ID]?, for key: ByteString) async throws {
        state.withLock { $0.pages[key]?.removeAll { ids?.contains($0.id) ?? true } }
    }

    func removeAll() async throws { state.withLock { $0.pages = [:] } }

    private final class Writer: HTTPBodyWriter {
        private let store: StreamingStore
        private let key: ByteString
        private let body = Locked(Data())

        init(_ store: StreamingStore, _ key: ByteString) {
            self.store = store
            self.key = key
        }

        deinit { store.state.withLock { $0.writers -= 1 } }

        var isReadable: Bool { store.traits.isReadable }

        func append(_ chunks: [Data]) async throws {
            await store.traits.appending.wait()
            let count = body.withLock { body in
                for chunk in chunks { body += chunk }
                return body.count
            }
            guard count <= store.traits.room else { throw Full() }
            store.state.withLock { $0.written += chunks.reduce(0) { $0 + $1.count } }
        }

        func read(_ range: Range<Int>) async throws -> Data { body.withLock { Data($0[range]) } }

        func commit(_ variant: StoredVariant, replacing old: [StoredVariant.ID]) async throws {
            await store.traits.committing.wait()
            guard !store.traits.failsToCommit else { throw Full() }
            store.add(variant, body.withLock { $0 }, key, old)
        }
    }

    private final class Pieces: HTTPBodySource {
        private let rest: Locked<Data>
        private let gate: Gate

        init(_ bytes: Data, _ gate: Gate) {
            rest = Locked(bytes)
            self.gate = gate
        }

        func next() async throws(TransportError) -> Data? {
            await gate.wait()
            return rest.withLock { rest in
                guard !rest.isEmpty else { return nil }
                defer { rest = rest.dropFirst(100_000) }
                return rest.prefix(100_000)
            }
        }
    }
}
