import CalotypeBase

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

    private let given = AtomicInteger(Extent.nothing.rawValue)
    private let isRefused = AtomicInteger(0)
    private let isWithdrawn: @Sendable () -> Bool

    /// - Parameter isWithdrawn: Returns `true` if nothing may be stored any more. Asked whenever an answer is to be stored.
    package init(isWithdrawn: @escaping @Sendable () -> Bool = { false }) {
        self.isWithdrawn = isWithdrawn
    }

    package var isGiven: Bool { extent > .nothing }

    /// The most that anyone has given.
    package var extent: Extent {
        if isRefused.load() != 0 || isWithdrawn() { return .nothing }
        return Extent(rawValue: given.load()) ?? .nothing
    }

    package func give() { give(.whole) }

    package func give(_ extent: Extent) { given.raise(to: extent.rawValue) }

    /// For good, whoever gives it: what has come is of no use.
    package func refuse() { isRefused.store(1) }

    package static func == (left: StorageConsent, right: StorageConsent) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
