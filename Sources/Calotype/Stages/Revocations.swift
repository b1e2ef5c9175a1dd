import CalotypeBase

/// Counts of removals and cancellations. If they change during a load, the load stores no result or ends as cancelled.
final class Revocations: Sendable {
    /// The counts when a request was made.
    struct Mark: Sendable {
        fileprivate let removals: UInt64
        fileprivate let cancellations: Int

        /// A number that every revocation changes, so that requests from before and after share no work. It is the sum
        /// of two counts, both of which only grow.
        var generation: UInt64 { removals &+ UInt64(truncatingIfNeeded: cancellations) }
    }

    private let removals = Removals()
    private let cancelled = AtomicInteger(0)
    private let invalid = AtomicInteger(0)

    var cancellations: Int { cancelled.load() }

    /// - Parameter cancellations: The number of cancellations before the request; `nil` for the current number.
    func mark(_ source: ByteString, cancellations: Int? = nil) -> Mark {
        Mark(removals: removals.count(for: source), cancellations: cancellations ?? self.cancellations)
    }

    /// Returns whether the source was removed since the mark. A load in flight then does not store its image.
    func isRemoved(_ source: ByteString, since mark: Mark) -> Bool { removals.count(for: source) != mark.removals }

    func isCancelled(since mark: Mark) -> Bool { cancellations != mark.cancellations }

    func noteRemoval(of source: ByteString) { removals.note(source) }
    func noteRemovalOfAll() { removals.noteAll() }
    func noteCancellation() { _ = cancelled.add(1) }

    func invalidate() {
        invalid.store(1)
        removals.noteAll()
    }

    func checkIsValid() throws(ImageError) {
        if invalid.load() != 0 { throw .invalidated }
    }
}
