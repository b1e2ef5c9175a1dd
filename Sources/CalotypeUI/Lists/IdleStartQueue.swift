/// The rule for misses in a list: they wait while it scrolls, and start when it rests, newest first.
///
/// A pure value: times are passed in, as durations since any fixed moment. Memory hits do not wait in it.
struct IdleStartQueue<ID: Hashable & Sendable>: Sendable {
    /// The time for which the list has to rest. 80 ms by default.
    let quietTime: Duration

    private var lastScroll: Duration?
    private var order: [ID: UInt64] = [:]
    private var lastNumber: UInt64 = 0

    init(quietTime: Duration = .milliseconds(80)) {
        self.quietTime = quietTime
    }

    /// The number of waiting misses.
    var count: Int { order.count }

    /// Records that the list has scrolled.
    mutating func scrolled(at now: Duration) {
        lastScroll = max(lastScroll ?? now, now)
    }

    /// Returns whether the list rests, so that a miss may start at once.
    func isIdle(at now: Duration) -> Bool {
        guard let lastScroll else { return true }
        return now - lastScroll >= quietTime
    }

    /// Adds a waiting miss as the newest one.
    mutating func add(_ id: ID) {
        lastNumber += 1
        order[id] = lastNumber
    }

    /// Removes a miss whose row was reused before it started. Does nothing if it does not wait.
    mutating func withdraw(_ id: ID) {
        order[id] = nil
    }

    /// The time to check again, or `nil` if no miss waits.
    var deadline: Duration? {
        guard !order.isEmpty else { return nil }
        return lastScroll.map { $0 + quietTime } ?? .zero
    }

    /// Removes and returns the misses that start now, newest first: all of them if the list rests, otherwise `[]`.
    mutating func takeDue(at now: Duration) -> [ID] {
        guard !order.isEmpty, isIdle(at: now) else { return [] }
        defer { order.removeAll(keepingCapacity: true) }
        return order.sorted { $0.value > $1.value }.map(\.key)
    }
}
