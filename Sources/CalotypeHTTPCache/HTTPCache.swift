public import CalotypeBase
public import CalotypeHTTP
internal import Foundation

/// A cache by RFC 9111: what was learned from answers that passed, and the right to answer in the origin's place.
///
/// ```swift
/// let cache = HTTPCache(rules: .private)
/// let transport = CurlTransport().cached(in: cache)
/// ```
///
/// It stands right above the wire: redirects, content codings and retries belong above it. Requests that are equal at
/// the same time become one, a stored answer that has to be confirmed is confirmed once for all, and a store that fails
/// is reported and fails nobody.
public final class HTTPCache: Sendable {
    /// The rules that decide what is stored and used.
    public let rules: CacheRules
    /// The options that the cache was created with.
    public let options: HTTPCacheOptions

    let store: any HTTPCacheStore
    let wallClock: WallClock
    let partition: @Sendable (HTTPRequest) -> ByteString
    private let onProblem: (@Sendable (HTTPCacheStoreError) -> Void)?

    let flights = Coordinator<ExchangeFlight, Never, ExchangeOutcome, TransportError>(cancelled: .cancelled)
    let removals = Removals()
    let transfers = TransferTable()
    let budget: GatheringBudget
    /// Revalidations that no client waits for, by key and host, whatever its port.
    let revalidations: BackgroundFlights<ByteString, ByteString>
    /// Grows with each change of the store: who looked before may have to look again.
    private let changes = Locked<UInt64>(0)

    /// Creates a cache in memory.
    ///
    /// - Parameters:
    ///   - rules: Private or shared, and the few numbers that RFC 9111 leaves open.
    ///   - memory: The most memory to use, in bytes. It counts bodies, and by estimate all else that an entry holds, some 3 KB
    ///     for a small one. If it is 16 MiB or more, an answer may take a quarter of it at most. The default is 64 MiB.
    ///   - wallClock: The time of day.
    ///   - partition: A part of the key beside the URL, such as a digest of the identity fields. The default is empty, as a
    ///     shared cache requires.
    public convenience init(
        rules: CacheRules, memory: Int = 64 << 20, options: HTTPCacheOptions = HTTPCacheOptions(),
        wallClock: WallClock = .system, partition: @escaping @Sendable (HTTPRequest) -> ByteString = { _ in "" }
    ) {
        self.init(
            rules: rules, store: MemoryHTTPCacheStore(byteLimit: memory), options: options, wallClock: wallClock,
            partition: partition)
    }

    /// - Parameter onProblem: Called on any thread with what the store could not do.
    package init(
        rules: CacheRules, store: some HTTPCacheStore, options: HTTPCacheOptions = HTTPCacheOptions(),
        wallClock: WallClock = .system, partition: @escaping @Sendable (HTTPRequest) -> ByteString = { _ in "" },
        onProblem: (@Sendable (HTTPCacheStoreError) -> Void)? = nil
    ) {
        self.rules = rules
        self.store = store
        self.options = options
        self.wallClock = wallClock
        self.partition = partition
        self.onProblem = onProblem
        revalidations = BackgroundFlights(limit: options.revalidationLimit)
        budget = GatheringBudget(each: options.bodyLimit, all: options.gatheringLimit, clock: options.clock)
    }

    func key(for request: HTTPRequest) -> ByteString {
        partitioned(request.cacheKey.map { "key \($0)" } ?? rules.key(for: request), request)
    }

    /// Removes all that is stored for the request: all variants, bodies and parts.
    ///
    /// An exchange that is under way still answers but is not stored, and later requests do not join it.
    public func removeStored(for request: HTTPRequest) async {
        await removeStored(key(for: request))
    }

    func removeStored(_ key: ByteString) async {
        removals.note(key)
        for item in transfers.removeAll(for: key) { item.transfer.markOutdated() }
        await remove(nil, key)
    }

    /// Does the same to exchanges under way for all requests, on behalf of a caller that empties the store.
    package func outdateAll() {
        removals.noteAll()
        for item in transfers.removeAll() { item.transfer.markOutdated() }
    }

    /// Keys of one URL differ by partition, which stands in front on a line of its own.
    func partitioned(_ key: ByteString, _ request: HTTPRequest) -> ByteString {
        let part = partition(request)
        return part.isEmpty ? key : "\(part)\n\(key)"
    }

    /// How many downloads are on their way into the store.
    public var transfersUnderWay: Int { transfers.count }

    /// How many requests wait for the head of an exchange that another one started.
    public var waiters: Int { max(0, flights.waiterCount - flights.count) }

    /// How many revalidations run behind their clients' backs, up to the head of the answer.
    package var revalidationsUnderWay: Int { revalidations.count }

    var changeCount: UInt64 { changes.withLock { $0 } }
}

// MARK: The store, whose failures fail nobody

extension HTTPCache {
    func variants(of key: ByteString) async -> [StoredVariant] {
        await guarded(or: []) { () throws(HTTPCacheStoreError) in try await store.variants(of: key) }
    }

    func body(of variant: StoredVariant, _ key: ByteString) async -> Data? {
        if case .found(let body) = await lookedUpBody(of: variant, key) { body } else { nil }
    }

    /// The store's finding about a body.
    enum BodyFinding {
        case found(Data)
        case gone
        /// The store could not tell.
        case failed
    }

    func lookedUpBody(of variant: StoredVariant, _ key: ByteString) async -> BodyFinding {
        if let body = variant.body { return .found(body) }
        return await guarded(or: .failed) { () throws(HTTPCacheStoreError) in
            try await store.body(of: variant, for: key).map { .found($0) } ?? .gone
        }
    }

    /// Bytes from which on a body goes from its file to a client that takes it so.
    static let fileLength = 256 << 10

    /// - Returns: `nil` where the body is to be read as a whole.
    func file(of variant: StoredVariant, _ key: ByteString, covering range: Range<Int>) async -> (any BodyFile)? {
        guard variant.head.bodyLength >= Self.fileLength, let store = store as? any FileHTTPCacheStore else {
            return nil
        }
        return await guarded(or: nil) { () throws(HTTPCacheStoreError) in
            try await store.file(of: variant, for: key, covering: range)
        }
    }

    /// - Parameter count: How often the key had been removed when the exchange began.
    /// - Returns: whether the store took it.
    @discardableResult
    func keep(
        _ variant: StoredVariant, _ key: ByteString, replacing old: [StoredVariant.ID], removals count: UInt64
    ) async -> Bool {
        guard removals.count(for: key) == count else { return false }
        let isStored = await guarded(or: false) { () throws(HTTPCacheStoreError) in
            try await store.store(variant, for: key, replacing: old)
            return true
        }
        changes.withLock { $0 += 1 }
        // Removed in between: what was removed then is gone, and this was not there yet.
        guard removals.count(for: key) == count else {
            await remove([variant.id], key)
            return false
        }
        return isStored
    }

    /// Returns the identity of a stored response's bytes: its entry, and the body itself.
    func identity(of variant: StoredVariant, _ key: ByteString) -> BodyIdentity? {
        variant.digest.map { BodyIdentity(identityText($0, key)) }
    }

    func identityText(_ digest: String, _ key: ByteString) -> ByteString { "\(key)\nbody \(digest)" }

    func update(_ variants: [StoredVariant], _ key: ByteString) async {
        await guarded(or: ()) { () throws(HTTPCacheStoreError) in try await store.update(variants, for: key) }
        changes.withLock { $0 += 1 }
    }

    /// Runs to its end, even if the caller is cancelled.
    func remove(_ ids: [StoredVariant.ID]?, _ key: ByteString) async {
        await Task {
            await guarded(or: ()) { () throws(HTTPCacheStoreError) in try await store.remove(ids, for: key) }
            changes.withLock { $0 += 1 }
        }.value
    }

    private func guarded<Result>(
        or fallback: Result, _ body: () async throws(HTTPCacheStoreError) -> Result
    ) async -> Result {
        do throws(HTTPCacheStoreError) {
            return try await body()
        } catch {
            onProblem?(error)
            return fallback
        }
    }
}
