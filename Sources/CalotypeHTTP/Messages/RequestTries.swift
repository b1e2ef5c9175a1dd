import CalotypeBase

/// The number of times that a request is sent again. All layers that send a request again count here, so that together
/// they keep the limit of one of them.
package final class RequestTries: Hashable, Sendable {
    private let limit: AtomicInteger
    private let count = AtomicInteger(0)

    /// - Parameter limit: The maximum number of repetitions.
    package init(limit: Int) { self.limit = AtomicInteger(limit) }

    /// The number of repetitions so far.
    package var repetitions: Int { count.load() }

    /// Sets the maximum number of repetitions, which `takeRepetition()` obeys.
    package func setLimit(_ new: Int) { limit.store(new) }

    /// Counts one more repetition. Returns `false` if the limit is reached.
    package func takeRepetition() -> Bool {
        if count.add(1) <= limit.load() { return true }
        _ = count.add(-1)
        return false
    }

    package static func == (left: RequestTries, right: RequestTries) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
