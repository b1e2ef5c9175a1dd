/// The decision whether a far store is used: after some failures in a row it is left alone, apart from a probe each
/// second.
struct FarBreaker {
    /// The number of failures in a row after which the breaker opens.
    static let limit = 5
    /// The time between two probes.
    static let pause = Duration.seconds(1)

    enum Change { case opened, closed }

    private var failures = 0
    /// The time of the next probe, or `nil` while the breaker is closed.
    private var probe: Duration?

    var isOpen: Bool { probe != nil }

    /// Returns whether to use the store now.
    mutating func permits(at now: Duration) -> Bool {
        guard let probe else { return true }
        guard now >= probe else { return false }
        self.probe = now + Self.pause
        return true
    }

    mutating func succeeded() -> Change? {
        defer { (failures, probe) = (0, nil) }
        return probe == nil ? nil : .closed
    }

    mutating func failed(at now: Duration) -> Change? {
        failures += 1
        guard failures >= Self.limit else { return nil }
        defer { probe = probe ?? now + Self.pause }
        return probe == nil ? .opened : nil
    }
}

/// The decision whether a miss looks into the far store: rarely, if few lookups find a page.
struct FarPace {
    /// The number of misses after which the pace may change.
    static let window = 1000
    /// The number of misses for each lookup at the slow pace.
    static let stride = 16
    /// The number of lookups of which one has to find a page for the full pace.
    static let worth = 10

    private var misses = 0
    private var lookups = 0
    private var finds = 0
    private var isSlow = false

    /// Returns whether this miss looks.
    mutating func looks() -> Bool {
        if misses == Self.window {
            isSlow = finds * Self.worth < lookups
            (misses, lookups, finds) = (0, 0, 0)
        }
        misses += 1
        guard !isSlow || misses.isMultiple(of: Self.stride) else { return false }
        lookups += 1
        return true
    }

    mutating func found() { finds += 1 }
}
