#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Threads for blocking work, such as codecs, files and SQLite, which must not run on Swift's cooperative pool.
///
/// The pool limits the number of threads, the total cost of running jobs and the number of waiting jobs. A job starts
/// when a thread is free and its cost fits; a job that exceeds the whole cost limit runs alone. Jobs start by priority,
/// then in order of arrival. No job overtakes one that does not fit, which prevents starvation. Threads start on demand
/// and end after the pool is released, once the queue is empty.
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
        let job = PoolJob(core, cost: max(cost, 0), priority: DynamicPriority.current)
        // The job passes its result through a lock and not through the continuation: if the job ends before the task
        // suspends, the runtime synchronizes them by atomics that the thread sanitizer does not see.
        let outcome = Locked<Swift.Result<Result, Failure>>(.failure(.cancelled))
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                core.submit(job) { refusal in
                    let result: Swift.Result<Result, Failure> =
                        switch refusal {
                        case .cancelled: .failure(.cancelled)
                        case .overloaded: .failure(.overloaded)
                        case nil: Swift.Result(catching: body)
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

    /// Runs `body` on a thread of the pool, without a task that waits for it.
    ///
    /// - Parameter body: Receives `false` on a thread of the pool. If too many jobs are waiting, receives `true` at
    ///   once, on the calling thread.
    package func enqueue(_ body: @escaping @Sendable (_ isRefused: Bool) -> Void) {
        core.submit(PoolJob(core, cost: 0, priority: nil)) { body($0 != nil) }
    }

    /// The numbers of waiting and running jobs.
    public var load: (waiting: Int, running: Int) { core.load }
}

@usableFromInline enum PoolRefusal { case cancelled, overloaded }

// Unchecked: `perform` is set before the job is queued; `phase` is accessed only under the pool's lock.
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

    /// Performs the job, or reports its refusal. Called once.
    func end(_ refusal: PoolRefusal? = nil) {
        priority?.remove(self)
        perform?(refusal)
        perform = nil
    }
}

/// The state of a pool. The threads retain this object and not the pool, so that the pool can be released.
// Unchecked: `state` is accessed only while `mutex` is locked.
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
        // Add the observer before reading the value, so that no change is missed.
        job.priority?.add(job)
        var wakesThread = false
        let refusal: PoolRefusal? = withLock {
            if case .cancelled = job.phase { return .cancelled }
            if state.queue.count >= queueLimit { return .overloaded }
            job.phase = .waiting(state.queue.push(job, priority: job.priority?.value ?? .normal))
            wakesThread = state.idle > 0
            // Compare with the number of jobs: an idle thread may have been signalled for an earlier job already.
            if state.queue.count > state.idle, state.threads < threadLimit {
                // If the thread cannot be created, existing threads continue, and the next submission tries again.
                if startThread(named: "calotype-pool", { self.work() }) { state.threads += 1 }
            }
            return nil
        }
        if let refusal { return job.end(refusal) }
        // Signal outside the lock, which the thread needs as soon as it wakes.
        if wakesThread { pthread_cond_signal(wake) }
    }

    func reprioritize(_ job: PoolJob) {
        withLock {
            guard case .waiting(let ticket) = job.phase, let priority = job.priority else { return }
            state.queue.move(ticket, to: priority.value)
            // The new first job may fit although the previous one did not.
            if state.idle > 0 { pthread_cond_signal(wake) }
        }
    }

    @usableFromInline func cancel(_ job: PoolJob) {
        let wasWaiting = withLock {
            switch job.phase {
            case .waiting(let ticket):
                state.queue.remove(ticket)
                job.phase = .cancelled
                // Jobs behind a job that did not fit may fit now.
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

    /// Waits for the next job that fits. Returns `nil` if the pool is shut down and its queue empty.
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
                    // Each woken thread wakes another: the next job may fit, too.
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
