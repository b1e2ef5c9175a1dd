import CalotypeBase

/// A log of events in order of occurrence, for use from any thread.
package final class Log<Entry: Sendable>: Sendable {
    private let list = Locked([Entry]())

    package init() {}

    package var entries: [Entry] { list.withLock { $0 } }
    package var count: Int { entries.count }

    package func add(_ entry: Entry) { list.withLock { $0.append(entry) } }
}
