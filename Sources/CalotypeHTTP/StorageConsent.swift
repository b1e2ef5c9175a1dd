import Synchronization

/// Whether the answer to a request may be stored, which may be decided as late as when it has come: of those who share
/// a download, one may want it kept.
public final class StorageConsent: Sendable, Hashable {
    private let given: Atomic<Bool>
    private let isRefused = Atomic(false)

    public init(isGiven: Bool = false) {
        given = Atomic(isGiven)
    }

    public var isGiven: Bool { given.load(ordering: .acquiring) && !isRefused.load(ordering: .acquiring) }
    public func give() { given.store(true, ordering: .releasing) }
    /// For good, whoever gives it: what has come is of no use.
    public func refuse() { isRefused.store(true, ordering: .releasing) }

    public static func == (left: StorageConsent, right: StorageConsent) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
