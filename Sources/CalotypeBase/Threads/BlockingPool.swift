#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Threads for work that blocks: codecs, files, SQLite. The cooperative pool never runs such work.
///
/// Bounded three ways: by threads, by the cost of the jobs that run together, and by the number of jobs that wait.
/// A job starts when a thread is free and its cost fits beside the costs that run; one that costs more than the whole
/// limit runs alone. Jobs start by priority, then in the order in which they came; a job that does not fit is not
/// overtaken, so that none starves. Threads start when first needed and end with the pool.
public final class BlockingPool: Sendable {
    @usableFromInline let core: PoolCore

    /// - Parameters:
    ///   - threads: how many jobs run at the same time; at least 1.
    ///   - costLimit: the sum of `cost` of jobs that run at the same time, in the caller's unit; below 0 counts as 0. No limit
    ///     by default.
    ///   - queueLimit: how many jobs may wait; at least one for each thread, because every job passes through the queue. One
    ///     more fails with `overloaded`. 65,536 by default.
    public init(threads: Int, costLimit: Int = .max, queueLimit: Int = 65_536) {
        core = PoolCore(threads: max(threads, 1), costLimit: costLimit, queueLimit: queueLimit)
    }

    deinit { core.shutDown() }

    /// Runs `body` on a thread of the pool.
    ///
    /// A task that is cancelled before its job has started takes the job out of the queue and throws `cancelled` at
    /// once. A job that runs is not interrupted: its result is returned. The job's place in the queue follows
    /// `DynamicPriority.current`.
    @inlinable public func run<Result: Sendable, Failure: InterruptibleFailure>(
        cost: Int = 0, _ body: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let job = PoolJob(core, cost: max(cost, 0), priority: DynamicPriority.current)
        // Through a lock, not the continuation: where a job ends before its task has suspended, the runtime orders the two
        // by atomics that the thread sanitizer does not see.
        let outcome = Locked<Swift.Result<Result, Failure>>(.failure(.cancelled))
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                core.submit(job) { refusal in
                    let result: Swift.Result<Result, Failure>
                    switch refusal {
                    case .cancelled: result = .failure(.cancelled)
                    case .overloaded: result = .failure(.overloaded)
                    case nil:
                        do throws(Failure) {
                            result = .success(try body())
                        } catch {
                            result = .failure(error)
                        }
                    }
                    outcome.withLock { $0 = result }
                    continuation.resume()
                }
            }
        } onCancel: {
            core.cancel(job)
        }
        return try outcome.withLock { $0 }.get()
    }

    /// How many jobs wait and how many run.
    public var load: (waiting: Int, running: Int) { core.load }
}

@usableFromInline enum PoolRefusal { case cancelled, overloaded }

/// One submitted closure.
// Unchecked: `perform` is set before the job is in the queue; the phase is touched only under the pool's lock.
@usableFromInline final class PoolJob: PriorityObserver, @unchecked Sendable {
    enum Phase { case new, waiting(PriorityLanes<PoolJob>.Ticket), cancelled, started }

    let core: PoolCore
    let cost: Int
    let priority: DynamicPriority?
    var perform: (@Sendable (PoolRefusal?) -> Void)?
    var phase = Phase.new

    @usableFromInline init(_ core: PoolCore, cost: Int, priority: DynamicPriority?) {
        self.core = core
        self.cost = cost
        self.priority = priority
    }

    @usableFromInline package func priorityDidChange() { core.reprioritize(self) }

    /// Does it, or says why not. Once, by whoever took the job out of `waiting`.
    func end(_ refusal: PoolRefusal? = nil) {
        priority?.remove(self)
        perform?(refusal)
        perform = nil
    }
}

/// The state of a pool. Its threads retain it, so that the pool itself can be released.
// Unchecked: `state` is touched only between lock and unlock of `mutex`.
@usableFromInline final class PoolCore: @unchecked Sendable {
    private struct State {
        var queue = PriorityLanes<PoolJob>()
        var runningCost = 0
        var running = 0
        var threads = 0
        var idle = 0
        var isShutDown = false
    }

    private let threadLimit: Int
    private let costLimit: Int
    private let queueLimit: Int
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wake = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state = State()

    init(threads: Int, costLimit: Int, queueLimit: Int) {
        threadLimit = threads
        self.costLimit = max(costLimit, 0)
        self.queueLimit = max(queueLimit, threads)
        initializeShortLived(mutex)
        pthread_cond_init(wake, nil)
    }

    deinit {
        pthread_cond_destroy(wake)
        pthread_mutex_destroy(mutex)
        wake.deallocate()
        mutex.deallocate()
    }

    private func withLock<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    var load: (waiting: Int, running: Int) { withLock { (state.queue.count, state.running) } }

    @usableFromInline func submit(_ job: PoolJob, _ perform: @escaping @Sendable (PoolRefusal?) -> Void) {
        job.perform = perform
        // Before its value is read: a change in between moves the job as soon as it waits.
        job.priority?.add(job)
        var wakesThread = false
        let refusal: PoolRefusal? = withLock {
            if case .cancelled = job.phase { return .cancelled }
            if state.queue.count >= queueLimit { return .overloaded }
            job.phase = .waiting(state.queue.push(job, priority: job.priority?.value ?? .normal))
            wakesThread = state.idle > 0
            // An idle thread may have been called for an earlier job already and not be up yet: count jobs, not sleepers.
            if state.queue.count > state.idle, state.threads < threadLimit {
                // Without a thread, those that exist go on; with none the next submission tries again.
                if startThread(named: "calotype-pool", { self.work() }) { state.threads += 1 }
            }
            return nil
        }
        if let refusal { return job.end(refusal) }
        // Outside the lock, which the thread wants as soon as it is up.
        if wakesThread { pthread_cond_signal(wake) }
    }

    func reprioritize(_ job: PoolJob) {
        withLock {
            guard case .waiting(let ticket) = job.phase, let priority = job.priority else { return }
            state.queue.move(ticket, to: priority.value)
            // The job now in front may fit where the one before it did not.
            if state.idle > 0 { pthread_cond_signal(wake) }
        }
    }

    @usableFromInline func cancel(_ job: PoolJob) {
        let wasWaiting = withLock {
            switch job.phase {
            case .waiting(let ticket):
                state.queue.remove(ticket)
                job.phase = .cancelled
                // What stood behind a job too costly to start may fit now.
                pthread_cond_broadcast(wake)
                return true
            case .new:
                job.phase = .cancelled
                return false
            case .cancelled, .started: return false
            }
        }
        if wasWaiting { job.end(.cancelled) }
    }

    func shutDown() {
        withLock {
            state.isShutDown = true
            pthread_cond_broadcast(wake)
        }
    }

    private func work() {
        var done: PoolJob?
        while let job = next(after: done) {
            BlockingPool.perform { job.end() }
            done = job
        }
    }

    /// The next job that fits, waiting for it; nil when the pool is gone and nothing is left to do.
    private func next(after done: PoolJob?) -> PoolJob? {
        var wakesOther = false
        let next: PoolJob? = withLock {
            if let done {
                state.running -= 1
                state.runningCost -= done.cost
            }
            while true {
                if let (ticket, job) = state.queue.peek(), fits(job) {
                    state.queue.remove(ticket)
                    job.phase = .started
                    state.running += 1
                    state.runningCost += job.cost
                    // Whoever wakes up passes it on: the next job may fit too.
                    wakesOther = state.idle > 0 && !state.queue.isEmpty
                    return job
                }
                if state.isShutDown && state.queue.isEmpty {
                    state.threads -= 1
                    return nil
                }
                state.idle += 1
                pthread_cond_wait(wake, mutex)
                state.idle -= 1
            }
        }
        if wakesOther { pthread_cond_signal(wake) }
        return next
    }

    private func fits(_ job: PoolJob) -> Bool {
        state.running == 0 || job.cost <= costLimit - state.runningCost
    }
}
