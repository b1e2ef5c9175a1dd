import CalotypeBase

/// The permission to store the response to a request. A cache reads it when the response has arrived. If several
/// requests share a download, each of them can grant the permission for all.
package final class StoreDecision: Sendable, Hashable {
    package enum Extent: Int, Comparable, Sendable {
        case nothing
        /// Store the head and the body's identity, but not the body, which later requests find missing.
        case head
        case whole

        package static func < (left: Extent, right: Extent) -> Bool { left.rawValue < right.rawValue }
    }

    private let granted = AtomicInteger(Extent.nothing.rawValue)
    private let isRefused = AtomicInteger(0)
    private let isWithdrawn: @Sendable () -> Bool

    /// - Parameter isWithdrawn: Returns `true` if nothing may be stored any more. A cache calls it before it stores.
    package init(isWithdrawn: @escaping @Sendable () -> Bool = { false }) {
        self.isWithdrawn = isWithdrawn
    }

    /// A decision that allows nothing, even after `grant(_:)`.
    package static let never = StoreDecision { true }

    package var isGranted: Bool { extent > .nothing }

    /// The widest permission granted so far; `nothing` once storing has been refused or withdrawn.
    package var extent: Extent {
        if isRefused.load() != 0 || isWithdrawn() { return .nothing }
        return Extent(rawValue: granted.load()) ?? .nothing
    }

    package func grant(_ extent: Extent) { granted.raise(to: extent.rawValue) }

    /// Refuses storing for good, even after `grant(_:)`, because the bytes received are useless.
    package func refuse() { isRefused.store(1) }

    package static func == (left: StoreDecision, right: StoreDecision) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
