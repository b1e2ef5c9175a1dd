/// Who goes first among those who wait with the same priority.
public struct QueueOrder: Hashable, Sendable {
    private enum Kind { case firstInFirstOut, lastInFirstOut }

    private let kind: Kind

    /// The one who came first. The default: nobody starves.
    public static let firstInFirstOut = QueueOrder(kind: .firstInFirstOut)
    /// The one who came last: what has just scrolled into view before what has long left it.
    public static let lastInFirstOut = QueueOrder(kind: .lastInFirstOut)
}
