@usableFromInline enum PoolRefusal { case cancelled, overloaded }

/// A job of a `BlockingPool`, and its part of the cost limit.
// Unchecked: `perform` is set before the job is queued and belongs to the thread that ends the job, as do the references
// once the job has started; all other mutable state is accessed only under the pool's lock.
@usableFromInline final class PoolJob: PriorityObserver, @unchecked Sendable {
    enum Phase { case new, waiting(PriorityLanes<PoolJob>.Ticket, in: PoolLane), cancelled, started }

    let core: PoolCore
    let cost: Int
    let priority: DynamicPriority?
    /// The reservation of the chain so far; `nil` for a job that begins a chain or belongs to none.
    private(set) var earlier: PoolReservation?
    /// The reservation that pays for the job's result; `nil` if the job ends with its whole cost free.
    private(set) var reservation: PoolReservation?
    /// The part of `cost` that the job has taken from `earlier`.
    var covered = 0
    /// Whether the job has given its cost back.
    var hasEnded = false
    /// The permission to exceed the limit, or `nil` if the job does not.
    var overdraft: PoolOverdraft?
    var perform: (@Sendable (PoolRefusal?) -> Void)?
    var phase = Phase.new

    /// The part of `cost` that the job adds to the cost in use.
    var added: Int { cost - covered }

    @usableFromInline init(
        _ core: PoolCore, cost: Int, priority: DynamicPriority?, within earlier: PoolReservation? = nil,
        reserving reservation: PoolReservation? = nil
    ) {
        self.core = core
        // Clamped, so that sums do not overflow: an unknown cost is `Int.max`.
        self.cost = min(max(cost, 0), 1 << 48)
        self.priority = priority
        self.earlier = earlier
        self.reservation = reservation
    }

    @usableFromInline package func priorityDidChange() { core.reprioritize(self) }

    /// Performs the job, or reports its refusal. Called once.
    func end(_ refusal: PoolRefusal? = nil) {
        priority?.remove(self)
        perform?(refusal)
        perform = nil
    }

    /// Releases the reservations. Called without the pool's lock, which the last release takes.
    func leaveChain() { (earlier, reservation, overdraft) = (nil, nil, nil) }
}

/// Jobs that wait for the same condition.
final class PoolLane {
    var jobs = PriorityLanes<PoolJob>()
}

/// A part of a pool's cost limit, held by a chain of jobs until the last reference is gone.
///
/// One part pays for the result of the latest job; the rest is spare, for the later jobs of the chain. The owner keeps the
/// reservation exactly as long as that result, and waits for no other permit meanwhile, except threads of the same pool.
/// Several chains may continue from one result: they share its reservation, and the first ones get the spare part.
// Unchecked: all mutable state is accessed only under the pool's lock.
@usableFromInline package final class PoolReservation: @unchecked Sendable {
    let core: PoolCore
    var cost = 0
    var held = 0
    /// The permission to exceed the limit, if the chain needed it.
    var overdraft: PoolOverdraft?

    @usableFromInline init(_ core: PoolCore) { self.core = core }

    deinit { core.giveBack(self) }

    /// Lowers the cost at the end of a job.
    ///
    /// - Parameters:
    ///   - held: The cost of the job's result. It counts even if it is higher than the reserved cost.
    ///   - total: The peak cost of the later jobs, including the result.
    package func settle(held: Int, total: Int) { core.settle(self, held: held, total: total) }
}

/// The permission to exceed the cost limit, for one chain at a time.
///
/// If several chains continue from the result of a chain with this permission, it lends them the permission in turn.
/// Otherwise the chain might wait for a chain that waits for it.
// Unchecked: all mutable state is accessed only under the pool's lock.
final class PoolOverdraft: @unchecked Sendable {
    private let core: PoolCore
    /// The permission that this one is borrowed from; `nil` if it is the pool's.
    private let lender: PoolOverdraft?
    var isLent = false
    /// The jobs that wait until this permission is returned.
    let waiting = PoolLane()

    init(_ core: PoolCore, from lender: PoolOverdraft?) {
        self.core = core
        self.lender = lender
    }

    deinit { core.returnOverdraft(to: lender) }
}
