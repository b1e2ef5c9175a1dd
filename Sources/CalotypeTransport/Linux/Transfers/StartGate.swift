import CalotypeBase

/// The condition for transfers to begin beyond the limits on their number: room for their bodies, and a rate. All times
/// are nanoseconds of a monotonic clock that the caller reads.
struct StartGate {
    private let mayBegin: (@Sendable (_ orCall: @escaping @Sendable () -> Void) -> Bool)?
    /// Called on any thread when transfers may begin again.
    private let wake: @Sendable () -> Void
    private var bucket: TokenBucket?
    private let created: UInt64
    private var waitsForRoom = false
    /// The arrival of the next token if a transfer waits for it, otherwise `.max`.
    private(set) var deadline = UInt64.max

    init(_ limits: TransferLimits?, now: UInt64, wake: @escaping @Sendable () -> Void) {
        mayBegin = limits?.mayBegin
        bucket = limits.flatMap { limits in
            limits.perSecond.flatMap { TokenBucket(perSecond: $0, burst: limits.burst) }
        }
        created = now
        self.wake = wake
    }

    mutating func isOpen(at now: UInt64) -> Bool {
        deadline = .max
        if let bucket = bucket?.refilled(at: .nanoseconds(now - created)) {
            self.bucket = bucket
            guard bucket.hasToken else {
                deadline = created.advanced(bySaturating: bucket.nextToken)
                return false
            }
        }
        guard let mayBegin, !waitsForRoom else { return !waitsForRoom }
        waitsForRoom = !mayBegin(wake)
        return !waitsForRoom
    }

    mutating func noteStart(at now: UInt64) { _ = bucket?.takeToken(at: .nanoseconds(now - created)) }

    mutating func noteRoom() { waitsForRoom = false }

    /// Forgets the time of the next token, because no transfer waits for it.
    mutating func rest() { deadline = .max }
}
