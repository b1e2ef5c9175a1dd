public import CalotypeBase
public import CalotypeHTTP
internal import Foundation

/// An HTTP cache that follows RFC 9111.
///
/// ```swift
/// let cache = HTTPCache(rules: .private)
/// let transport = CurlTransport().cached(in: cache)
/// ```
///
/// Apply it directly to the transport; redirects, content codings and retries belong above it. The cache coalesces
/// equal requests in flight and validates a stored response once for all waiters. Errors of the store are reported,
/// but do not fail a request.
public final class HTTPCache: Sendable {
    /// The rules for storing and reusing responses.
    public let rules: CacheRules
    /// The options that the cache was created with.
    public let options: HTTPCacheOptions

    let store: any HTTPCacheStore
    let files: (any BodyFileStore)?
    let wallClock: WallClock
    let partition: @Sendable (HTTPRequest) -> ByteString
    let onProblem: (@Sendable (any Error) -> Void)?

    let flights = Coordinator<ExchangeFlight, Never, ExchangeOutcome, TransportError>(
        cancelled: .cancelled, startsInPlace: true)
    let removals = Removals()
    let uses = VariantUses()
    /// The URLs with the same responses; `nil` if each URL has its own.
    let search: SearchIndex?
    let groups = GroupInvalidations()
    let transfers = TransferTable()
    let budget: GatheringBudget
    let storeTimeout: StoreTimeout
    /// The background revalidations until the head of their response arrives, by key and by host (without its port).
    let revalidations: BackgroundFlights<ByteString, ByteString>
    private let exchanges = AtomicInteger(0)
    /// The number of changes to the store. A plan made before the latest change may be out of date.
    private let changes = Locked<UInt64>(0)

    /// Creates a cache in memory.
    ///
    /// - Parameters:
    ///   - rules: The rules: private or shared, with the numbers that RFC 9111 leaves open.
    ///   - memory: The memory limit, in bytes. It covers bodies and an estimate of everything else in an entry, about 3
    ///     KB for a small one. With a limit of 16 MiB or more, the variants of one URL may together take at most a
    ///     quarter of it. The default is 64 MiB.
    ///   - wallClock: The time of day.
    ///   - partition: Returns the part of the key that precedes the URL, such as a digest of the identity fields. By
    ///     default it is empty, as a shared cache requires.
    public convenience init(
        rules: CacheRules, memory: Int = 64 << 20, options: HTTPCacheOptions = HTTPCacheOptions(),
        wallClock: WallClock = .system, partition: @escaping @Sendable (HTTPRequest) -> ByteString = { _ in "" }
    ) {
        self.init(
            rules: rules, store: MemoryHTTPCacheStore(byteLimit: memory), options: options, wallClock: wallClock,
            partition: partition)
    }

    /// Creates a cache over a store, such as one of your own.
    ///
    /// - Parameters:
    ///   - rules: The rules: private or shared, with the numbers that RFC 9111 leaves open.
    ///   - store: The store. Of a store of your own, the cache uses only variants with the URL of the key and with
    ///     bodies of the recorded length. It removes those beyond `HTTPCacheOptions.variantLimit`.
    ///   - wallClock: The time of day.
    ///   - partition: Returns the part of the key that precedes the URL, such as a digest of the identity fields. By
    ///     default it is empty, as a shared cache requires.
    ///   - onProblem: Called on any thread with each error of the store, which fails no request.
    public init(
        rules: CacheRules, store: any HTTPCacheStore, options: HTTPCacheOptions = HTTPCacheOptions(),
        wallClock: WallClock = .system, partition: @escaping @Sendable (HTTPRequest) -> ByteString = { _ in "" },
        onProblem: (@Sendable (any Error) -> Void)? = nil
    ) {
        self.rules = rules
        files = store as? any BodyFileStore
        storeTimeout = StoreTimeout(duration: options.storeTimeout, clock: options.clock)
        self.store = files ?? CheckedStore(store: store, timeout: storeTimeout)
        self.options = options
        self.wallClock = wallClock
        self.partition = partition
        self.onProblem = onProblem
        // Purges name single URLs, and those of a gateway are its own.
        let sharesResponses = rules.obeysNoVarySearch && options.purges == nil && !options.isGateway
        search = sharesResponses ? SearchIndex() : nil
        revalidations = BackgroundFlights(limit: options.revalidationLimit)
        budget = GatheringBudget(each: options.bodyLimit, all: options.gatheringLimit, clock: options.clock)
    }

    /// The text before a name that a request has instead of its URL.
    package static let namePrefix: ByteString = "key "

    func key(for request: HTTPRequest) -> ByteString {
        partitioned(request.cacheKey.map { "\(Self.namePrefix)\($0)" } ?? rules.key(for: request), request)
    }

    /// Removes everything stored for the request: all variants, bodies and parts. If the responses to its URL are those of
    /// other URLs, too (No-Vary-Search), it removes them for all of these.
    ///
    /// An exchange in flight still answers, but its response is not stored, and later requests do not join it.
    public func removeStored(for request: HTTPRequest) async {
        await removeStored(key(for: request))
    }

    /// Removes everything from the store, also if the caller is cancelled.
    ///
    /// Exchanges in flight still answer, but their responses are not stored, and later requests do not join them.
    ///
    /// - Throws: The error of the store.
    public func removeAll() async throws {
        removals.noteAll()
        search?.removeAll()
        for item in transfers.removeAll() { item.transfer.markOutdated() }
        try await Task {
            defer { noteChange() }
            try await store.removeAll()
        }.value
    }

    /// Forgets the responses in memory that the store has on disk, too; of a store in memory, all.
    package func forgetMemory() { files?.forgetMemory() }

    /// Returns the key, preceded by its partition and a line feed unless the partition is empty.
    func partitioned(_ key: ByteString, _ request: HTTPRequest) -> ByteString {
        let part = partition(request)
        return part.isEmpty ? key : "\(part)\n\(key)"
    }

    /// The number of downloads in flight whose bodies are to be stored.
    public var transfersUnderWay: Int { transfers.count }

    /// The number of requests that wait for the head of an exchange started by another request.
    public var waiters: Int { max(0, flights.waiterCount - flights.count) }

    func noteChange() { changes.withLock { $0 += 1 } }

    var changeCount: UInt64 { changes.withLock { $0 } }

    /// A counter, because a random number is a system call.
    func nextExchangeID() -> ExchangeID { exchanges.add(1) }
}

// MARK: Access to the store, whose errors fail no request

extension HTTPCache {
    /// Returns the variants that no purge has made absent, at most `variantLimit`, and removes the others.
    func variants(of key: ByteString) async -> [StoredVariant] {
        var stored = await guarded(or: []) { try await store.variants(of: key) }
        // Exchanges that overlap, another process, or a higher limit before may have left too many.
        let unused = uses.leastUsed(of: stored, keeping: options.variantsPerKey)
        if !unused.isEmpty {
            await remove(unused, key)
            stored.removeAll { unused.contains($0.id) }
        }
        guard let purged = purged(stored, key) else { return stored }
        if !purged.absent.isEmpty { await remove(purged.absent, key) }
        return purged.kept
    }

    func body(of variant: StoredVariant, _ key: ByteString) async -> Data? {
        if case .found(let body) = await lookedUpBody(of: variant, key) { body } else { nil }
    }

    enum BodyFinding {
        case found(Data)
        case gone
        case failed
    }

    func lookedUpBody(of variant: StoredVariant, _ key: ByteString) async -> BodyFinding {
        if let body = variant.body { return .found(body) }
        return await guarded(or: .failed) { try await store.body(of: variant, for: key).map { .found($0) } ?? .gone }
    }

    /// The smallest body, in bytes, that a client may receive as a file.
    static let fileLength = 256 << 10

    /// Returns the file with the body, or `nil` if the body is small, gone or not stored as a file, or the store fails.
    func file(of variant: StoredVariant, _ key: ByteString, covering range: Range<Int>) async -> (any BodyFile)? {
        guard let files, variant.head.bodyLength >= Self.fileLength else { return nil }
        return await guarded(or: nil) { try await files.file(of: variant, for: key, covering: range) }
    }

    /// Stores a variant in place of those with the same values of the fields named in Vary, and of the least recently used
    /// ones beyond the limit.
    ///
    /// - Parameters:
    ///   - known: The variants of the key when the request was looked up.
    ///   - counts: How often the key had been removed when the exchange began.
    ///   - writer: The store's writer that has the variant's body, if the variant has none.
    /// - Returns: `true` if the store accepted the variant, and the key was neither removed meanwhile nor purged.
    @discardableResult
    func keep(
        _ variant: StoredVariant, _ key: ByteString, beside known: [StoredVariant], removals counts: RemovalCounts,
        in writer: (any HTTPBodyWriter)? = nil
    ) async -> Bool {
        let old =
            replaced(by: variant, known)
            + (store.immediateVariants(of: key).map { replaced(by: variant, $0) } ?? [])
        guard isCurrent(counts, key), purgeEffect(on: variant.head, key) == .none else { return false }
        let isStored = await guarded(or: false) {
            if let writer {
                try await commit(variant, in: writer, key, replacing: old, removals: counts)
            } else {
                try await store.store(variant, for: key, replacing: old)
            }
            return true
        }
        noteChange()
        uses.note(variant.id)
        // If the key was removed while the variant was being written, the removal missed the variant, and the store may
        // have written the others again with it.
        guard isCurrent(counts, key) else {
            await remove(nil, key)
            return false
        }
        return isStored
    }

    /// Returns those of the stored variants for which a new one leaves no room.
    private func replaced(by new: StoredVariant, _ stored: [StoredVariant]) -> [StoredVariant.ID] {
        let others = stored.filter { $0.head.variantKey != new.head.variantKey }
        return stored.filter { $0.head.variantKey == new.head.variantKey }.map(\.id)
            + uses.leastUsed(of: others, keeping: options.variantsPerKey - 1)
    }

    /// Returns the identity of a stored body, made from its key and its digest; `nil` without a digest.
    func identity(of variant: StoredVariant, _ key: ByteString) -> BodyIdentity? {
        variant.digest.map { BodyIdentity(identityText($0, key), lacksBody: variant.lacksBody) }
    }

    func identityText(_ digest: String, _ key: ByteString) -> ByteString { "\(key)\nbody \(digest)" }

    func update(_ variants: [StoredVariant], _ key: ByteString) async {
        await guarded(or: ()) { try await store.update(variants, for: key) }
        noteChange()
    }

    /// Removes variants, or all variants of the key if `ids` is `nil`, even if the caller is cancelled.
    func remove(_ ids: [StoredVariant.ID]?, _ key: ByteString) async {
        await Task {
            await guarded(or: ()) { try await store.remove(ids, for: key) }
            noteChange()
        }.value
    }

    func guarded<Result>(or fallback: Result, _ body: () async throws -> Result) async -> Result {
        do {
            return try await body()
        } catch {
            onProblem?(error)
            return fallback
        }
    }
}
