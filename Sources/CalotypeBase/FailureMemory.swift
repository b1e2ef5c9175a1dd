/// Failures by identifier, each with its expiry. Beyond the limit, the oldest is dropped.
package struct FailureMemory<ID: Hashable, Failure: Error, Instant: Comparable> {
    private struct Entry {
        var failure: Failure
        var end: Instant
        var number: Int
    }

    private let limit: Int
    private var entries: [ID: Entry] = [:]
    private var order: [(id: ID, number: Int)] = []
    private var head = 0
    private var lastNumber = 0

    package init(limit: Int) { self.limit = limit }

    package mutating func failure(for id: ID, at now: Instant) -> Failure? {
        guard let entry = entries[id] else { return nil }
        if now < entry.end { return entry.failure }
        entries[id] = nil
        return nil
    }

    package mutating func remember(_ failure: Failure, for id: ID, until end: Instant) {
        guard limit > 0 else { return }
        lastNumber += 1
        entries[id] = Entry(failure: failure, end: end, number: lastNumber)
        order.append((id, lastNumber))
        while entries.count > limit { forgetOldest() }
        if order.count > 64 + 2 * entries.count { compact() }
    }

    package mutating func forget(_ id: ID) { entries[id] = nil }

    package mutating func forgetAll() { self = FailureMemory(limit: limit) }

    private mutating func forgetOldest() {
        let oldest = order[head]
        head += 1
        if entries[oldest.id]?.number == oldest.number { entries[oldest.id] = nil }
    }

    private mutating func compact() {
        order = order[head...].filter { entries[$0.id]?.number == $0.number }
        head = 0
    }
}
