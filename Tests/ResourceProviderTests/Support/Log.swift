import CalotypeConcurrency

/// What happened, in the order in which it did.
final class Log<Entry: Sendable>: Sendable {
    private let list = Locked([Entry]())

    var entries: [Entry] { list.withLock { $0 } }
    var count: Int { entries.count }

    func add(_ entry: Entry) { list.withLock { $0.append(entry) } }

    func clear() { list.withLock { $0 = [] } }
}

/// Lets other tasks run until `condition` holds. For states that somebody else is about to reach.
func reaches(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}
