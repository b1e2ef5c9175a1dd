import Calotype
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A loader over a store that a program has written.
@Suite(.requirement("C15")) struct OwnStoreLoaderTests {
    private func room(_ store: any HTTPCacheStore, identityFields: [CaselessString] = []) -> LoaderFixture {
        LoaderFixture(options: {
            $0.disk = .responses(in: store)
            $0.identityFields = identityFields
        })
    }

    @Test func `another loader finds the image in the store`() async throws {
        let store = PageStore()
        #expect(try await room(store).loader.response(for: ImageRequest(.photo())).origin == .network)
        let second = room(store)
        #expect(try await second.loader.response(for: ImageRequest(.photo())).origin == .disk)
        #expect(second.transport.requestCount == 0)
        #expect(second.loader.diskStore == nil)
    }

    @Test func `users with other identity fields have entries of their own`() async throws {
        let store = PageStore()
        for user: ByteString in ["anna", "ben", "anna"] {
            var request = URLRequest(url: .photo())
            request.setValue(user.string, forHTTPHeaderField: "Authorization")
            let room = room(store, identityFields: ["Authorization"])
            _ = try await room.loader.fetch(request)
        }
        #expect(store.keys.count == 2)
    }

    @Test func `a processed image is made again from the stored original`() async throws {
        let store = PageStore()
        let request = ImageRequest(.photo(), size: ResizeTarget(width: 2))
        for _ in 0..<2 {
            let room = room(store)
            _ = try await room.loader.fetch(request)
            #expect(room.decoder.decodeCount == 1)
        }
        #expect(store.keys.count == 1)
    }

    @Test func `removing one image and removing all reach the store`() async throws {
        let store = PageStore()
        let loader = room(store).loader
        for number in 1...3 { _ = try await loader.fetch(.photo(number)) }
        await loader.remove(ImageRequest(.photo(1)))
        #expect(store.keys.count == 2)
        try await loader.removeAll()
        #expect(store.keys.isEmpty)
    }

    @Test func `a store that fails is reported, and the image is loaded`() async throws {
        let problems = Mutex<[String]>([])
        let room = LoaderFixture(options: {
            $0.disk = .responses(in: PageStore(fails: true))
            $0.onProblem = { problem in problems.withLock { $0.append(problem.message) } }
        })
        _ = try await room.loader.fetch(.photo())
        #expect(problems.withLock { $0.first }?.hasPrefix("the store failed: ") == true)
    }
}

/// A store of one variant for each key.
private final class PageStore: HTTPCacheStore {
    private struct Failure: Error {}

    private let pages = Mutex<[ByteString: StoredVariant]>([:])
    private let fails: Bool

    init(fails: Bool = false) { self.fails = fails }

    var keys: [ByteString] { pages.withLock { Array($0.keys) } }

    func variants(of key: ByteString) async throws -> [StoredVariant] {
        if fails { throw Failure() }
        return pages.withLock { $0[key].map { [$0] } ?? [] }
    }

    func body(of variant: StoredVariant, for key: ByteString) async throws -> Data? { nil }

    func store(_ variant: StoredVariant, for key: ByteString, replacing old: [StoredVariant.ID]) async throws {
        if fails { throw Failure() }
        pages.withLock { $0[key] = variant }
    }

    func update(_ variants: [StoredVariant], for key: ByteString) async throws {
        pages.withLock { $0[key]?.head = variants[0].head }
    }

    func remove(_ ids: [StoredVariant.ID]?, for key: ByteString) async throws { pages.withLock { $0[key] = nil } }

    func removeAll() async throws { pages.withLock { $0 = [:] } }
}
