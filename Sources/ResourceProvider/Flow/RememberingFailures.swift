import CalotypeBase

extension AsyncProvider {
    /// Caches failures: repeats an identifier's failure for `duration` instead of requesting the value again.
    ///
    /// Use this for frequent requests that are known to fail, such as images for which the server responds 410 (Gone).
    /// Without this modifier failures are not cached.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of cached failures. Beyond it, the oldest is dropped. The default is 1,024.
    ///   - shouldRemember: Whether to cache a failure. Return `false` for cancellation, timeouts and lost connections.
    public func rememberingFailures<SomeClock: Clock>(
        for duration: Duration, limit: Int = 1_024, clock: SomeClock = ContinuousClock(),
        when shouldRemember: @escaping @Sendable (Failure) -> Bool
    ) -> some AsyncProvider<ID, Value, Failure> where SomeClock.Duration == Duration {
        let memory = Locked(FailureMemory<ID, Failure, SomeClock.Instant>(limit: max(limit, 0)))
        return replacingValue { (id) async throws(Failure) in
            if let failure = memory.withLock({ $0.failure(for: id, at: clock.now) }) { throw failure }
            do throws(Failure) {
                return try await value(for: id)
            } catch {
                if shouldRemember(error) {
                    memory.withLock { $0.remember(error, for: id, until: clock.now.advanced(by: duration)) }
                }
                throw error
            }
        }
    }
}

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
