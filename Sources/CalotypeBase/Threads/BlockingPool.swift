/// Threads for blocking work, such as codecs, files and SQLite, which must not run on Swift's cooperative pool.
///
/// The pool limits the number of threads, the total cost of running jobs and the number of waiting jobs. A job starts
/// when a thread is free and its cost fits; a job that exceeds the whole cost limit runs alone. Jobs start by priority,
/// then in order of arrival. No job overtakes one that does not fit, which prevents starvation. Threads start on demand
/// and end after the pool is released, once the queue is empty.
///
/// A *chain* of jobs, such as decoding and encoding one image, holds a `PoolReservation`: its first job waits for the
/// memory that the whole chain needs, and its later jobs start before all jobs that begin a chain.
public final class BlockingPool: Sendable {
    @usableFromInline let core: PoolCore

    /// - Parameters:
    ///   - threads: The maximum number of jobs that run at the same time, at least 1.
    ///   - costLimit: The maximum total `cost` of the running jobs, in the caller's unit. The default is no limit.
    ///   - queueLimit: The maximum number of waiting jobs, at least one per thread, because every job passes through
    ///     the queue. Further jobs fail with `overloaded`. The default is 65,536.
    public init(threads: Int, costLimit: Int = .max, queueLimit: Int = 65_536) {
        core = PoolCore(threads: max(threads, 1), costLimit: costLimit, queueLimit: queueLimit)
    }

    deinit { core.shutDown() }

    /// Runs `body` on a thread of the pool and returns its result.
    ///
    /// If the task is cancelled before the job starts, the pool drops the job and throws `cancelled` at once. A running
    /// job continues, and its result is returned. If the queue is full, throws `overloaded`. The job's position in the
    /// queue follows `DynamicPriority.current`.
    ///
    /// - Parameter cost: The amount of `costLimit` that the job occupies while it runs. The default is 0.
    @inlinable public func run<Result: Sendable, Failure: InterruptibleFailure>(
        cost: Int = 0, _ body: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await run(PoolJob(core, cost: cost, priority: DynamicPriority.current), body)
    }

    /// Runs `body` as a later job of a chain.
    ///
    /// The job takes its cost from the spare part of the chain's reservation, and gives it back at its end. A cost beyond
    /// that part counts against the limit. If it does not fit, the job waits until it does, or until no other chain
    /// exceeds the limit: one at a time may. So a chain always proceeds, provided that it waits only for threads while it
    /// holds a reservation. The pool never refuses such a job as `overloaded`.
    ///
    /// - Parameter reservation: If `nil`, the job is one without a chain, as in `run(cost:_:)`.
    @inlinable package func run<Result: Sendable, Failure: InterruptibleFailure>(
        within reservation: PoolReservation?, cost: Int = 0, _ body: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await run(PoolJob(core, cost: cost, priority: DynamicPriority.current, within: reservation), body)
    }

    /// Runs `body` as a job whose cost stays reserved after its end, until the last reference to the reservation is
    /// gone: for as long as the result is in memory, and other jobs use it.
    ///
    /// - Parameters:
    ///   - earlier: The reservation of the chain so far, or `nil` for the first job of a chain.
    ///   - cost: The peak cost of this job and the later ones of its chain.
    ///   - body: Lowers the reservation at its end, by ``PoolReservation/settle(held:total:)``.
    @inlinable package func run<Result: Sendable, Failure: InterruptibleFailure>(
        within earlier: PoolReservation? = nil, reserving cost: Int,
        _ body: @escaping @Sendable (PoolReservation) throws(Failure) -> Result
    ) async throws(Failure) -> (Result, PoolReservation) {
        let reservation = PoolReservation(core)
        let job = PoolJob(
            core, cost: cost, priority: DynamicPriority.current, within: earlier, reserving: reservation)
        let result = try await run(job) { () throws(Failure) in try body(reservation) }
        return (result, reservation)
    }

    @inlinable func run<Result: Sendable, Failure: InterruptibleFailure>(
        _ job: PoolJob, _ body: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        // The job passes its result through a lock and not through the continuation: if the job ends before the task
        // suspends, the runtime synchronizes them by atomics that the thread sanitizer does not see.
        let outcome = Locked<Swift.Result<Result, Failure>>(.failure(.cancelled))
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                core.submit(job) { [core] refusal in
                    let result: Swift.Result<Result, Failure> =
                        switch refusal {
                        case .cancelled: .failure(.cancelled)
                        case .overloaded: .failure(.overloaded)
                        case nil: Swift.Result(catching: body)
                        }
                    outcome.withLock { $0 = result }
                    core.endShare(job)
                    continuation.resume()
                }
            }
        } onCancel: {
            core.cancel(job)
        }
        return try outcome.withLock { $0 }.get()
    }

    /// Runs `body` on a thread of the pool, without a task that waits for it.
    ///
    /// - Parameter body: Receives `false` on a thread of the pool. If too many jobs are waiting, receives `true` at
    ///   once, on the calling thread.
    package func enqueue(_ body: @escaping @Sendable (_ isRefused: Bool) -> Void) {
        core.submit(PoolJob(core, cost: 0, priority: nil)) { body($0 != nil) }
    }

    /// The numbers of waiting and running jobs.
    public var load: (waiting: Int, running: Int) { core.load }

    /// The total cost of running jobs and reservations.
    package var reserved: Int { core.used }
}
