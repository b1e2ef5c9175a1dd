import CalotypeBase

/// The slots of a transport's queue at one moment.
package struct TransferSlots: Sendable {
    /// The number of slots in use. Lent ones do not count.
    package var inUse = 0
    /// The number of requests in flight whose slots are lent.
    package var lent = 0
    /// The time since which all slots of an origin, or all slots, belong to transfers that have ended, in nanoseconds of a
    /// monotonic clock; `nil` otherwise.
    package var endedSince: UInt64?
}

/// A loader's limits on its transfers over the system's transport.
package struct TransferLimits: Sendable {
    /// The maximum number of requests in flight.
    package var transfers: Int
    /// The maximum number of requests that wait for a slot. Others fail with `overloaded`.
    package var queue: Int
    /// The maximum average number of requests per second, or `nil` for no limit.
    package var perSecond: Double?
    /// The maximum number of requests that begin at once after a pause, if there is a rate.
    package var burst: Int
    /// The time without a byte from the server after which a request no longer counts.
    package var silence: Duration
    /// The addresses to which to connect. The default is all.
    package var addresses = AddressRules.all
    /// The maximum number of requests that do not count because of their silent servers, each with a descriptor. One host
    /// may have half of those that others leave. The default is 256, or a quarter of the process's descriptors.
    package var silent = min(256, DescriptorBudget.current.limit / 4)
    /// Returns whether a request may begin. If not, calls the closure as soon as one may. Must return at once.
    package var mayBegin: @Sendable (_ orCall: @escaping @Sendable () -> Void) -> Bool

    package init(
        transfers: Int, queue: Int, perSecond: Double?, burst: Int, silence: Duration,
        mayBegin: @escaping @Sendable (_ orCall: @escaping @Sendable () -> Void) -> Bool
    ) {
        (self.transfers, self.queue, self.perSecond, self.burst) = (transfers, queue, perSecond, burst)
        (self.silence, self.mayBegin) = (silence, mayBegin)
    }
}
