import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore

/// A loader's HTTP cache over its store; for a loader without a store, it stores and removes nothing.
struct ResponseCache: Sendable {
    /// The policy for storing responses, or `nil` if there is no store.
    let storage: StoragePolicy?
    let layered: @Sendable (any Transport) -> any Transport
    /// Removes everything stored for a request. Calls `request` only if there is a store.
    let removeStored: @Sendable (_ request: () async throws(ImageError) -> HTTPRequest) async throws(ImageError) -> Void
    /// Empties the store, and marks the exchanges in flight as outdated, so that their responses are not stored.
    let removeAll: @Sendable () async throws -> Void
    let counts: @Sendable () -> StoreStatistics

    private static let none = ResponseCache(
        storage: nil, layered: { $0 }, removeStored: { _ in }, removeAll: {}, counts: { StoreStatistics() })

    static func over(
        _ disk: DiskStore?, _ options: ImageLoaderOptions, _ budget: BodyBudget, _ problems: ProblemReports
    ) -> ResponseCache {
        guard let store = options.disk.responses ?? disk.map({ responses(on: $0, problems) }) else { return .none }
        let cache = HTTPCache(over: store, options, budget, problems)
        return ResponseCache(
            storage: options.storage,
            layered: { $0.cached(in: cache) },
            removeStored: { request throws(ImageError) in await cache.removeStored(for: try await request()) },
            removeAll: { try await cache.removeAll() },
            counts: { disk?.counts ?? StoreStatistics() })
    }

    /// Keeps no responses in memory, because the loader caches the decoded images.
    private static func responses(on disk: DiskStore, _ problems: ProblemReports) -> any HTTPCacheStore {
        DiskHTTPCacheStore(disk, memory: 0) { problem in
            problems.report("a stored response was removed: \(problem)", nil)
        }
    }
}

extension HTTPCache {
    fileprivate convenience init(
        over store: any HTTPCacheStore, _ options: ImageLoaderOptions, _ budget: BodyBudget, _ problems: ProblemReports
    ) {
        let fields = options.identityFields
        var rules = options.cacheRules
        rules.fieldsInKey.formUnion(fields)
        var cacheOptions = HTTPCacheOptions()
        cacheOptions.name = options.cacheName
        cacheOptions.purges = options.purges
        cacheOptions.bodyDigest = { BodyDigest() }
        // `BodyBudget` limits all bodies in transfer.
        cacheOptions.gatheringLimit = .max
        // If a reader is too slow for a shared download, its body ends with an error, and the loader repeats the
        // request. A second request for the rest would wait for a slot while the reader occupies part of `budget`.
        cacheOptions.servesSlowReaders = false
        cacheOptions.backgroundReader = { [limit = cacheOptions.bodyLimit] body, _ in
            await budget.read(body, limit: limit)
        }
        let name = options.disk.responses == nil ? "the disk store" : "the store"
        self.init(
            rules: rules, store: store, options: cacheOptions, wallClock: options.wallClock,
            partition: { Digest.identity(of: $0.fields, names: fields).map { "identity \($0)" } ?? "" },
            onProblem: { problems.report("\(name) failed: \($0)", $0) })
    }
}
