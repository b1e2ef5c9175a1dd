/// Options of a `DiskStore`: its limits, its upkeep and its durability.
public struct DiskStoreOptions: Sendable {
    /// The size limit in bytes: bodies, metadata, keys and `entryOverhead` for each entry. The default is 150 MB.
    ///
    /// A write that exceeds it trims the store. If it is 0, every `store` throws `tooLarge`.
    public var byteLimit = 150_000_000

    /// The fraction of `byteLimit` that remains after a trim, which removes the least recently used entries. An entry
    /// larger than `byteLimit` × `trimRatio` is refused. The default is 0.7.
    public var trimRatio = 0.7

    /// The age from which an entry counts as absent, or `nil` for no limit. The default is 7 days.
    public var maximumAge: Duration? = .seconds(7 * 24 * 3600)

    /// Whether `maximumAge` counts from an entry's last use, not from the time of storing. The default is `true`.
    public var renewsAgeOnRead = true

    /// The largest body to keep in the database, in bytes. Larger bodies are separate files. The default is 32 KiB.
    public var inlineLimit = 32 << 10

    /// The limit of pending writes, in bytes. A call that would exceed it, such as `store` or `remove`, waits for the
    /// writer. The default is 32 MB.
    public var pendingLimit = 32_000_000

    /// The longest wait for another process that has locked the database, after which the operation fails with `busy`.
    /// The default is 5 seconds.
    public var busyTimeout: Duration = .seconds(5)

    /// The interval of sweeps, which remove expired entries and leftover files. The default is 30 minutes.
    public var sweepInterval: Duration = .seconds(30 * 60)

    /// The delay of the first sweep, which would slow down the program's start. The default is 5 seconds.
    public var sweepDelay: Duration = .seconds(5)

    /// Whether flushed entries survive a power failure, not only the end of the process.
    ///
    /// If `true`, every file and every transaction is forced to the disk, which takes milliseconds each. If `false`
    /// (the default), the newest entries may be missing or incomplete after a power failure; checksums detect
    /// incomplete entries, which count as misses.
    public var survivesPowerLoss = false

    /// Whether this is the store of another program, whose size limit `statistics()` then reports. The default is
    /// `false`: the store notes its own limit.
    package var adoptsLimit = false

    /// Whether the store keeps its lock between writes. `false` on iOS, which kills suspended processes with locks.
    var keepsLocks = UninterruptedWork.keepsLocks

    /// Creates options with the defaults that each property documents.
    public init() {}

    /// Checks the options. A store itself does not throw: it replaces a number out of range with the nearest valid one,
    /// and NaN with the default.
    ///
    /// - Throws: `invalidOption`, with a message that names the option.
    public func validate() throws(StoreError) {
        for (name, value) in [("byteLimit", byteLimit), ("inlineLimit", inlineLimit), ("pendingLimit", pendingLimit)] {
            guard value >= 0 else { throw StoreError(.invalidOption, "\(name) is \(value), but must be 0 or more") }
        }
        guard (0...1).contains(trimRatio) else {
            throw StoreError(.invalidOption, "trimRatio is \(trimRatio), but must be from 0 to 1")
        }
    }

    var withinRange: Self {
        var options = self
        options.byteLimit = max(byteLimit, 0)
        options.inlineLimit = max(inlineLimit, 0)
        options.pendingLimit = max(pendingLimit, 0)
        options.trimRatio = trimRatio.isNaN ? DiskStoreOptions().trimRatio : min(max(trimRatio, 0), 1)
        return options
    }

    /// The overhead of an entry in the index, in bytes, which counts in addition to its key, metadata and body.
    public static let entryOverhead = 160

    var bytesAfterTrim: Int {
        let bytes = Double(byteLimit) * trimRatio
        // `Double(Int.max)` exceeds `Int.max`, so converting it back to an `Int` would trap.
        return bytes < Double(byteLimit) ? Int(bytes) : byteLimit
    }

    func isExpired(storedAt: Double, lastUsed: Double, expires: Double?, now: Double) -> Bool {
        if let expires, expires <= now { return true }
        guard let maximumAge else { return false }
        return now - (renewsAgeOnRead ? lastUsed : storedAt) >= maximumAge / .seconds(1)
    }
}
