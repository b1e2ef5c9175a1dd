public import CalotypeBase

/// An in-memory cache limited by cost, with synchronous lookups on the caller's thread.
///
/// ```swift
/// let cache = MemoryCache<Bitmap>(options: MemoryCacheOptions(costLimit: 64 << 20)) { $0.byteCount }
/// cache.store(value: bitmap, for: CacheKey("https://example.org/a.jpg"))
/// cache.value(for: CacheKey("https://example.org/a.jpg"))
/// ```
/// The total cost is within its limit whenever `store` has returned. The eviction algorithm is SIEVE: it passes over the
/// entries from the oldest to the newest, and evicts those that have not been read since its previous pass. The cache
/// is safe to use from any thread, and releases values outside its locks.
public final class MemoryCache<Value: Sendable>: Sendable {
    @usableFromInline final class Item: CacheItem {
        @usableFromInline let value: Value

        init(_ value: Value, key: CacheKey, cost: Int, expires: Double, isPreview: Bool) {
            self.value = value
            super.init(key: key, cost: cost, expires: expires, isPreview: isPreview)
        }
    }

    @usableFromInline let core: CacheCore
    private let cost: @Sendable (Value) -> Int
    private let onRejection: @Sendable (_ key: CacheKey, _ cost: Int) -> Void

    /// - Parameters:
    ///   - options: The limits and the lifetime.
    ///   - wallClock: The clock that measures the age of entries.
    ///   - onRejection: Called on the storing thread with the key and cost of a value too large for one entry.
    ///   - cost: Returns a value's cost, such as its size in bytes. Called once per `store`; negative costs count as 0.
    public init(
        options: MemoryCacheOptions = MemoryCacheOptions(), wallClock: WallClock = .system,
        onRejection: @escaping @Sendable (_ key: CacheKey, _ cost: Int) -> Void = { _, _ in },
        cost: @escaping @Sendable (Value) -> Int
    ) {
        core = CacheCore(options: options, wallClock: wallClock)
        self.onRejection = onRejection
        self.cost = cost
    }

    // MARK: Reading. Inlinable: a lookup specialized for the value type takes a third of the time.

    /// Returns the value, unless it is missing, expired or only a preview. Never suspends; takes under a microsecond.
    @inlinable
    public func value(for key: CacheKey) -> Value? {
        read(key, acceptsPreview: false)?.value
    }

    /// Returns the value without counting a miss, for a caller whose earlier lookup has already counted it.
    @inlinable
    package func peek(_ key: CacheKey) -> Value? {
        read(key, acceptsPreview: false, countsMiss: false)?.value
    }

    /// Returns a preview if there is no final value, without counting a miss.
    package func peekPreview(_ key: CacheKey) -> Value? {
        guard let item = read(key, acceptsPreview: true, countsMiss: false), item.isPreview else { return nil }
        return item.value
    }

    /// Returns the final value, or else a preview that stands in for it.
    @inlinable
    public func entry(for key: CacheKey) -> (value: Value, isPreview: Bool)? {
        guard let item = read(key, acceptsPreview: true) else { return nil }
        return (item.value, item.isPreview)
    }

    @inlinable
    func read(_ key: CacheKey, acceptsPreview: Bool, countsMiss: Bool = true) -> Item? {
        guard let item = core.read(key, acceptsPreview: acceptsPreview, countsMiss: countsMiss) else { return nil }
        // Unchecked: only `store` below makes items, all of this class. A checked cast costs as much as the lookup.
        return unsafeDowncast(item, to: Item.self)
    }

    /// Stores the value in place of the key's previous value, and evicts other values until all limits hold.
    ///
    /// Rejects a value that exceeds the limit for one entry, and removes the key's previous value, which is outdated. A
    /// preview never replaces a final value that has not expired.
    ///
    /// - Returns: Whether the value was stored.
    @discardableResult
    public func store(value: Value, for key: CacheKey, isPreview: Bool = false) -> Bool {
        let cost = max(cost(value), 0)
        let item = Item(value, key: key, cost: cost, expires: core.expiryOfNow, isPreview: isPreview)
        switch core.store(item) {
        case .stored: return true
        case .refused: return false
        case .rejected:
            onRejection(key, cost)
            return false
        }
    }

    /// Removes the value of a key.
    public func remove(for key: CacheKey) { core.remove(key) }

    /// Removes every value.
    public func removeAll() { core.removeAll() }

    /// Evicts entries in the usual order until the total cost is at most `cost`. 0 empties the cache.
    public func trim(toCost cost: Int) { core.trim { _ in cost } }

    /// Halves the total cost by evicting entries in the usual order, for example under memory pressure.
    public func shrink() { core.trim { $0 / 2 } }

    /// The maximum total cost; see `MemoryCacheOptions`. A lower limit takes effect before the setter returns.
    public var costLimit: Int {
        get { core.limits.cost }
        set { core.changeLimits { $0.costLimit = newValue } }
    }

    /// The maximum number of entries; see `MemoryCacheOptions`. A lower limit takes effect before the setter returns.
    public var countLimit: Int {
        get { core.limits.count }
        set { core.changeLimits { $0.countLimit = newValue } }
    }

    /// The maximum cost of one entry, at most `costLimit`; see `MemoryCacheOptions`. A change applies only to values
    /// stored later.
    public var entryCostLimit: Int {
        get { core.limits.entryCost }
        set { core.changeLimits { $0.entryCostLimit = newValue } }
    }

    /// The number of values, their cost, and counts of hits and misses.
    public var statistics: MemoryCacheStatistics { core.statistics }
}
