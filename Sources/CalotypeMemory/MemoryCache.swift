public import CalotypeBase

/// Values in memory, bounded by cost, answered synchronously on the caller's thread.
///
/// ```swift
/// let cache = MemoryCache<Bitmap>(options: MemoryCacheOptions(costLimit: 64 << 20)) { $0.byteCount }
/// cache.store(value: bitmap, for: CacheKey("https://example.org/a.jpg"))
/// cache.value(for: CacheKey("https://example.org/a.jpg"))
/// ```
/// The total cost is within its limit whenever `store` has returned. What goes first is decided by SIEVE: the oldest
/// that nobody has read since it was last considered. Any thread may call anything at any time; values are let go
/// outside the locks.
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
    ///   - options: limits and age.
    ///   - wallClock: by which entries grow old.
    ///   - onRejection: called on the storing thread with the key and the cost of a value that costs more than one entry may.
    ///   - cost: what keeping a value costs, for images their bytes. Called once for each `store`; below 0 counts as 0.
    public init(
        options: MemoryCacheOptions = MemoryCacheOptions(), wallClock: WallClock = .system,
        onRejection: @escaping @Sendable (_ key: CacheKey, _ cost: Int) -> Void = { _, _ in },
        cost: @escaping @Sendable (Value) -> Int
    ) {
        core = CacheCore(options: options, wallClock: wallClock)
        self.onRejection = onRejection
        self.cost = cost
    }

    // MARK: Reading. Inlinable, so that callers get it compiled for their type of value: a third of the time.

    /// The value, unless it is missing, too old or only a preview. Never suspends; takes well under a microsecond.
    @inlinable
    public func value(for key: CacheKey) -> Value? {
        read(key, acceptsPreview: false)?.value
    }

    /// The value, for a caller that has looked before: another miss is not counted.
    @inlinable
    package func peek(_ key: CacheKey) -> Value? {
        guard let item = core.read(key, acceptsPreview: false, countsMiss: false) else { return nil }
        return unsafeDowncast(item, to: Item.self).value
    }

    /// A preview, where there is no final value, for a caller that has looked before.
    package func peekPreview(_ key: CacheKey) -> Value? {
        guard let item = core.read(key, acceptsPreview: true, countsMiss: false), item.isPreview else { return nil }
        return unsafeDowncast(item, to: Item.self).value
    }

    /// The value, be it final or a preview, which stands in for one that is still to come.
    @inlinable
    public func entry(for key: CacheKey) -> (value: Value, isPreview: Bool)? {
        guard let item = read(key, acceptsPreview: true) else { return nil }
        return (item.value, item.isPreview)
    }

    @inlinable
    func read(_ key: CacheKey, acceptsPreview: Bool) -> Item? {
        guard let item = core.read(key, acceptsPreview: acceptsPreview) else { return nil }
        // Unchecked: only `store` below makes items, all of this class. A checked cast costs as much as the look-up.
        return unsafeDowncast(item, to: Item.self)
    }

    // MARK: Writing

    /// Keeps the value, in place of what the key had before, and takes out others until all is within the limits.
    ///
    /// A value that costs more than one entry may is not kept, and what the key had before goes, being out of date. A
    /// preview never takes the place of a final value.
    ///
    /// - Returns: whether the value was kept.
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

    /// Takes out entries, those that would be evicted first, until the rest costs no more than this. 0 empties it.
    public func trim(toCost cost: Int) { core.trim { _ in cost } }

    /// Gives up the half that would be evicted first: the answer to memory pressure. See `MemoryPressureMonitor`.
    public func shrink() { core.trim { $0 / 2 } }

    // MARK: Limits and figures

    /// See `MemoryCacheOptions.costLimit`. A lower one takes effect before the setter returns.
    public var costLimit: Int {
        get { core.limits.cost }
        set { core.changeLimits { $0.setCost(newValue) } }
    }

    /// See `MemoryCacheOptions.countLimit`. A lower one takes effect before the setter returns.
    public var countLimit: Int {
        get { core.limits.count }
        set { core.changeLimits { $0.setCount(newValue) } }
    }

    /// See `MemoryCacheOptions.entryCostLimit`; never more than `costLimit`. Holds for what is stored from now on.
    public var entryCostLimit: Int {
        get { core.limits.entryCost }
        set { core.changeLimits { $0.setEntryCost(newValue) } }
    }

    /// The number of values, their cost, and counts of hits and misses.
    public var statistics: MemoryCacheStatistics { core.statistics }
}
