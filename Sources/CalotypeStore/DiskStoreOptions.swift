/// How much a `DiskStore` keeps, for how long, and how hard it tries.
public struct DiskStoreOptions: Sendable {
    /// The most bytes to keep: bodies, metadata, keys and `entryOverhead` for each entry. 150 MB by default.
    ///
    /// Held to while running: the write that exceeds it trims. 0 stores nothing.
    public var byteLimit = 150_000_000

    /// How much of `byteLimit` a trim leaves, least recently used first out. 0.7 by default. A larger entry is refused.
    public var trimRatio = 0.7

    /// After how long an entry counts as absent. 7 days by default; nil: never.
    public var maximumAge: Duration? = .seconds(7 * 24 * 3600)

    /// A Boolean value indicating whether that age counts from the last read. If `false`, it counts from the moment when the
    /// entry was stored. The default is `true`.
    public var renewsAgeOnRead = true

    /// Bodies up to this size live in the database's rows, larger ones in files of their own. 32 KiB by default.
    public var inlineLimit = 32 << 10

    /// How many bytes may wait for the writer. Beyond it `store` waits. 32 MB by default.
    public var pendingLimit = 32_000_000

    /// How long to wait for another process that holds the database. 5 seconds by default.
    public var busyTimeout: Duration = .seconds(5)

    /// How often what is too old and what is left over is cleared away, first after `sweepDelay`. 30 minutes by default.
    public var sweepInterval: Duration = .seconds(30 * 60)

    /// How long after the start the first sweep is due. 5 seconds by default, to keep out of the way.
    public var sweepDelay: Duration = .seconds(5)

    /// A Boolean value indicating whether flushed entries survive a power cut, not only the sudden end of the process.
    ///
    /// If `true`, every file and every transaction is forced to the disk, which takes milliseconds each. If `false` (the
    /// default), the newest entries may be missing or torn after a power cut; torn ones are found by their checksum and are
    /// misses.
    public var survivesPowerLoss = false

    /// Whether a lock may be held while nothing is written. Not where the system ends suspended processes for it.
    package var keepsLocks = UninterruptedWork.keepsLocks

    /// Creates options with the defaults that each property documents.
    public init() {}

    /// Checks the numbers. A store takes one that is out of its range as the nearest one within, and no number as the
    /// default.
    ///
    /// - Throws: `invalidOption`, an error that names the value to put right.
    public func validate() throws(StoreError) {
        for (name, value) in [("byteLimit", byteLimit), ("inlineLimit", inlineLimit), ("pendingLimit", pendingLimit)] {
            guard value >= 0 else { throw StoreError(.invalidOption, "\(name) is \(value), and must be 0 or more") }
        }
        guard (0...1).contains(trimRatio) else {
            throw StoreError(.invalidOption, "trimRatio is \(trimRatio), and must be from 0 to 1")
        }
    }

    /// The same options with each number in its range.
    var withinRange: Self {
        var options = self
        options.byteLimit = max(byteLimit, 0)
        options.inlineLimit = max(inlineLimit, 0)
        options.pendingLimit = max(pendingLimit, 0)
        options.trimRatio = trimRatio.isNaN ? DiskStoreOptions().trimRatio : min(max(trimRatio, 0), 1)
        return options
    }

    /// The size that an entry counts beyond its bytes, for its place in the index.
    public static let entryOverhead = 160

    var bytesAfterTrim: Int {
        let bytes = Double(byteLimit) * trimRatio
        // Of the largest numbers a Double has not all digits.
        return bytes < Double(byteLimit) ? Int(bytes) : byteLimit
    }

    func isExpired(storedAt: Double, lastUsed: Double, expires: Double?, now: Double) -> Bool {
        if let expires, expires <= now { return true }
        guard let maximumAge else { return false }
        return now - (renewsAgeOnRead ? lastUsed : storedAt) >= maximumAge.seconds
    }
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
