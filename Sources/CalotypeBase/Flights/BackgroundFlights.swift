/// Work that no caller waits for: once for each key at a time, at low priority, as far as a limit allows it.
package final class BackgroundFlights<Key: Hashable & Sendable, Group: Hashable & Sendable>: Sendable {
    private let limit: Int
    private let running = Locked([Key: Group?]())

    package init(limit: Int) { self.limit = limit }

    package var count: Int { running.withLock { $0.count } }

    /// Starts the work unless work for the key is running or too much other work is.
    ///
    /// - Parameter group: A group gets at most half of what the others leave free, so that one whose work never ends leaves
    ///   something for the next.
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
