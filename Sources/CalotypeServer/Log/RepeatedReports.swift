import CalotypeBase

/// Passes reports on, each text once an hour at most: a store that cannot be read fails again for each request.
final class RepeatedReports: Sendable {
    private static let pause = 3600.0
    /// The number of texts to remember. Beyond it, all are forgotten, and some may be repeated too early.
    private static let limit = 64

    private let report: @Sendable (String) -> Void
    private let wallClock: WallClock
    /// The time at which each text was last passed on, in seconds since 1970.
    private let latest = Locked([String: Double]())

    init(_ report: @escaping @Sendable (String) -> Void, wallClock: WallClock) {
        (self.report, self.wallClock) = (report, wallClock)
    }

    func add(_ text: String) {
        let now = wallClock.now
        let isNew = latest.withLock { latest in
            if let last = latest[text], abs(now - last) < Self.pause { return false }
            if latest.count >= Self.limit { latest = [:] }
            latest[text] = now
            return true
        }
        if isNew { report(text) }
    }
}
