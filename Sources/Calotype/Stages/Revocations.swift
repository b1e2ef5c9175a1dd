import CalotypeBase
import CalotypeHTTPCache

/// Counts of removals and cancellations. If they change during a load, the load stores no result or ends as cancelled.
/// Counts of purges, after which requests share no work with earlier ones.
final class Revocations: Sendable {
    /// The counts when a request was made.
    struct Mark: Sendable {
        fileprivate let removals: UInt64
        fileprivate let cancellations: Int
        fileprivate let purges: Int
        fileprivate var watch: Watch?

        /// A number that every revocation changes, so that requests from before and after share no work. It is the sum
        /// of three counts, all of which only grow.
        var generation: UInt64 {
            removals &+ UInt64(truncatingIfNeeded: cancellations) &+ UInt64(truncatingIfNeeded: purges)
        }
    }

    /// Notices the removals of one source, without a counter that other sources share.
    fileprivate final class Watch: Sendable {
        let removals = AtomicInteger(0)
    }

    private let removals = Removals()
    private let watches = Locked([ByteString: [Watch]]())
    private let cancelled = AtomicInteger(0)
    private let invalid = AtomicInteger(0)
    /// The purges of the HTTP cache, which itself judges what it has stored.
    private let purges: (any Purges)?

    init(_ purges: (any Purges)? = nil) { self.purges = purges }

    var cancellations: Int { cancelled.load() }

    /// - Parameter cancellations: The number of cancellations before the request; `nil` for the current number.
    func mark(_ source: ByteString, cancellations: Int? = nil) -> Mark {
        Mark(
            removals: removals.count(for: source), cancellations: cancellations ?? self.cancellations,
            purges: purges?.generation ?? 0)
    }

    /// Returns whether the source was removed since the mark. A load in flight then does not store its image.
    func isRemoved(_ source: ByteString, since mark: Mark) -> Bool {
        if let watch = mark.watch { return watch.removals.load() != 0 }
        return removals.count(for: source) != mark.removals
    }

    /// Calls `body` with a mark that removals of other sources do not change.
    func watching<Value, Failure: Error>(
        _ source: ByteString, _ body: (Mark) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        var mark = self.mark(source)
        let watch = Watch()
        mark.watch = watch
        watches.withLock { $0[source, default: []].append(watch) }
        defer {
            watches.withLock { watches in
                watches[source]?.removeAll { $0 === watch }
                if watches[source]?.isEmpty == true { watches[source] = nil }
            }
        }
        return try await body(mark)
    }

    func isCancelled(since mark: Mark) -> Bool { cancellations != mark.cancellations }

    /// Notes that an image of a source has been replaced: to loads, a removal; to calls that watch the source, none.
    func noteReplacement(of source: ByteString) { removals.note(source) }

    func noteRemoval(of source: ByteString) {
        removals.note(source)
        for watch in watches.withLock({ $0[source] ?? [] }) { _ = watch.removals.add(1) }
    }

    func noteRemovalOfAll() {
        removals.noteAll()
        for watch in watches.withLock({ $0.values.flatMap { $0 } }) { _ = watch.removals.add(1) }
    }

    func noteCancellation() { _ = cancelled.add(1) }

    func invalidate() {
        invalid.store(1)
        noteRemovalOfAll()
    }

    func checkIsValid() throws(ImageError) {
        if invalid.load() != 0 { throw .invalidated }
    }
}
