import Calotype
import CalotypeHTTPCache
import CalotypeStore

/// The cache of results, and the store below it.
struct ResultCache: Sendable {
    let cache: HTTPCache
    /// Returns the memory of the store, in bytes.
    let memoryBytes: @Sendable () -> Int

    /// - Parameters:
    ///   - disk: The store of results. If `nil`, they are kept in memory only.
    ///   - far: The far half of the store. By default there is none.
    init(_ disk: DiskStore?, far: ObjectHTTPCacheStore? = nil, _ basis: ServerBasis) throws(ServerError) {
        let shares = basis.shares
        var rules = CacheRules(.shared)
        rules.negativeLifetime = .zero
        var options = HTTPCacheOptions()
        options.isGateway = true
        options.gatheringLimit = shares.gathering
        options.bodyLimit = min(options.bodyLimit, shares.gathering)
        options.purges = basis.purges
        let reports = RepeatedReports(basis.report, wallClock: basis.wallClock)
        let onProblem: @Sendable (any Error) -> Void = { reports.add("the results: \($0)") }
        let near: any BodyFileStore
        if let disk {
            let store = DiskHTTPCacheStore(disk, memory: shares.resultLimit)
            (near, memoryBytes) = (store, { store.memoryBytes })
        } else {
            let store = MemoryHTTPCacheStore(byteLimit: shares.resultLimit)
            (near, memoryBytes) = (store, { store.byteCount })
        }
        let store = try far.map { (far) throws(ServerError) -> any BodyFileStore in
            try TieredHTTPCacheStore(
                near: near, far: far, rules: rules, purges: basis.purges, basis.wallClock, onProblem: onProblem)
        }
        cache = HTTPCache(
            rules: rules, store: store ?? near, options: options, wallClock: basis.wallClock, onProblem: onProblem)
    }
}
