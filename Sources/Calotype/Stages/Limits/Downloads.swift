import CalotypeBase
import CalotypeHTTP
import CalotypeTransport

/// A loader's limits on downloads, which one queue enforces for each transport: curl's own queue for the system's
/// transport on Linux, and slots above all other transports and custom sources.
///
/// Slots above curl's queue would be taken before its share for each host: a few silent hosts would have them all.
final class Downloads: Sendable {
    private let slots: Limiter
    private let budget: BodyBudget
    /// The system's transport with the loader's limits; `nil` if the loader has another one, or if it has no queue.
    let queue: SystemTransport?

    init(_ options: ImageLoaderOptions, _ budget: BodyBudget) {
        self.budget = budget
        slots = Limiter(
            limit: options.downloads, queueLimit: options.queueLimit, rate: options.rate, keepsLastSlot: true)
        var limits = TransferLimits(
            transfers: options.downloads, queue: options.queueLimit, perSecond: options.requestsPerSecond,
            burst: options.requestBurst, silence: options.silence
        ) { [budget] in budget.mayBegin(orCall: $0) }
        limits.addresses = options.addresses
        limits.silent = options.silentDownloads ?? limits.silent
        queue = options.transport != nil ? nil : .queueing(limits)
    }

    /// The number of downloads that have slots. Those whose servers are silent have lent them, and do not count.
    var inUse: Int { slots.load.inside + (queue?.slots.inUse ?? 0) }

    /// Whether all slots of an origin have belonged to downloads that have ended, for this time.
    func isStuck(after limit: Duration) -> Bool {
        queue?.isStuck(after: limit) ?? false
    }

    /// The number of requests that wait to begin.
    var waiting: Int { slots.load.waiting + budget.queue + (queue?.load.waiting ?? 0) }

    /// - Parameter takesToken: Whether the loader's limit on requests per second applies.
    func limit(_ transport: some Transport, takesToken: Bool = true) -> some Transport {
        transport.limited(to: slots, budget, takesToken: takesToken)
    }
}
