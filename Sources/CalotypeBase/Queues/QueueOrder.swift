/// The order of waiters with the same priority.
public struct QueueOrder: Hashable, Sendable {
    private enum Kind { case firstInFirstOut, lastInFirstOut }

    private let kind: Kind

    /// First in, first out (the default). Prevents starvation.
    public static let firstInFirstOut = QueueOrder(kind: .firstInFirstOut)
    /// Last in, first out: cells that just scrolled into view load before cells that scrolled out long ago.
    public static let lastInFirstOut = QueueOrder(kind: .lastInFirstOut)
}
