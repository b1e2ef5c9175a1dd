/// Work in the background, at low priority, for which no caller waits. At most one piece of work per key runs at a
/// time, and at most `limit` in total.
package final class BackgroundFlights<Key: Hashable & Sendable, Group: Hashable & Sendable>: Sendable {
    private let limit: Int
    private let running = Locked([Key: Group?]())

    package init(limit: Int) { self.limit = limit }

    package var count: Int { running.withLock { $0.count } }

    /// Starts the work unless work for `key` is running or a limit is reached.
    ///
    /// - Parameter group: Each group may use at most half of the slots that other groups leave free, so that a group
    ///   whose work never ends leaves slots for others. Work without a group has only the total limit.
    package func start(_ key: Key, group: Group? = nil, _ work: @escaping @Sendable () async -> Void) {
        let starts = running.withLock { running in
            guard running[key] == nil, running.count < limit else { return false }
            if let group, running.values.count(where: { $0 == group }) >= limit - running.count { return false }
            running[key] = .some(group)
            return true
        }
        guard starts else { return }
        Task.detached(priority: .utility) { [self] in
            await DynamicPriority.$current.withValue(DynamicPriority(.low)) { await work() }
            running.withLock { _ = $0.removeValue(forKey: key) }
        }
    }
}
