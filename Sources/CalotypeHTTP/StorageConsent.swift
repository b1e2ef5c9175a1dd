import Synchronization

/// The permission to store the answer to a request. It may be given as late as when the answer has arrived: of those
/// who share a download, one may ask for it.
package final class StorageConsent: Sendable, Hashable {
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

    package init(isGiven: Bool = false) {
        given = Atomic((isGiven ? Extent.whole : .nothing).rawValue)
    }

    package var isGiven: Bool { extent > .nothing }

    /// The most that anyone has given.
    package var extent: Extent {
        if isRefused.load(ordering: .acquiring) { return .nothing }
        return Extent(rawValue: given.load(ordering: .acquiring)) ?? .nothing
    }

    package func give() { give(.whole) }

    package func give(_ extent: Extent) { given.max(extent.rawValue, ordering: .acquiringAndReleasing) }

    /// For good, whoever gives it: what has come is of no use.
    package func refuse() { isRefused.store(true, ordering: .releasing) }

    package static func == (left: StorageConsent, right: StorageConsent) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
