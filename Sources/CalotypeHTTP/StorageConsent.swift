import Synchronization

/// Whether the answer to a request may be stored, which may be decided as late as when it has come: of those who share
/// a download, one may want it kept.
public final class StorageConsent: Sendable, Hashable {
    /// How much of an answer is stored.
    package enum Extent: Int, Comparable, Sendable {
        case nothing
        /// The head and the body's identity. The body counts as gone.
        case head
        case whole

        package static func < (left: Extent, right: Extent) -> Bool { left.rawValue < right.rawValue }
    }

    private let given: Atomic<Int>
    private let isRefused = Atomic(false)

    public init(isGiven: Bool = false) {
        given = Atomic((isGiven ? Extent.whole : .nothing).rawValue)
    }

    public var isGiven: Bool { extent > .nothing }

    /// The most that anyone has given.
    package var extent: Extent {
        if isRefused.load(ordering: .acquiring) { return .nothing }
        return Extent(rawValue: given.load(ordering: .acquiring)) ?? .nothing
    }

    public func give() { give(.whole) }

    package func give(_ extent: Extent) { given.max(extent.rawValue, ordering: .acquiringAndReleasing) }

    /// For good, whoever gives it: what has come is of no use.
    public func refuse() { isRefused.store(true, ordering: .releasing) }

    public static func == (left: StorageConsent, right: StorageConsent) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
