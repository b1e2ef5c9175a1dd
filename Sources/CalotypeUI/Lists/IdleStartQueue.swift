/// The rule for misses in a list: while it scrolls they wait; when it has rested they start, newest first.
///
/// A pure value: times come from outside, as durations since any fixed moment. Memory hits have no business here, they
/// are shown at once.
package struct IdleStartQueue<ID: Hashable & Sendable>: Sendable {
    /// How long the list has to rest. 80 ms by default.
    package let quietTime: Duration

    private var lastScroll: Duration?
    private var order: [ID: UInt64] = [:]
    private var lastNumber: UInt64 = 0

    package init(quietTime: Duration = .milliseconds(80)) {
        self.quietTime = quietTime
    }

    /// How many wait.
    package var count: Int { order.count }

    /// The list moved.
    package mutating func scrolled(at now: Duration) {
        lastScroll = max(lastScroll ?? now, now)
    }

    /// Returns whether the list rests, so that a miss need not wait.
    package func isIdle(at now: Duration) -> Bool {
        guard let lastScroll else { return true }
        return now - lastScroll >= quietTime
    }

    /// Waits from now on, as the newest.
    package mutating func add(_ id: ID) {
        lastNumber += 1
        order[id] = lastNumber
    }

    /// Its row was reused before it started. Does nothing where it does not wait.
    package mutating func withdraw(_ id: ID) {
        order[id] = nil
    }

    /// When to look again: nil where nothing waits.
    package var deadline: Duration? {
        guard !order.isEmpty else { return nil }
        return lastScroll.map { $0 + quietTime } ?? .zero
    }

    /// Removes and returns what starts now, newest first: nothing while the list moves, everything that waits when it
    /// rests.
    package mutating func takeDue(at now: Duration) -> [ID] {
        guard !order.isEmpty, isIdle(at: now) else { return [] }
        defer { order.removeAll(keepingCapacity: true) }
        return order.sorted { $0.value > $1.value }.map(\.key)
    }
}
