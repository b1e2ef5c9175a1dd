#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The state of a pool. The threads retain this object and not the pool, so that the pool can be released.
// Unchecked: `state` is accessed only while `mutex` is locked.
@usableFromInline final class PoolCore: @unchecked Sendable {
    private struct State {
        /// Jobs that their reservations cover, and those with permission to exceed the limit: a thread is all they need.
        let begun = PoolLane()
        /// Later jobs of a chain that need more than it has reserved.
        let growing = PoolLane()
        /// Jobs that begin a chain or belong to none.
        let new = PoolLane()
        var waiting = 0
        /// The cost of running jobs and reservations.
        var used = 0
        var running = 0
        /// Whether a chain has the permission to exceed the limit.
        var isOverdrawn = false
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

    /// Runs `body` with the lock held. `body` must not release the last reference to a reservation or an overdraft.
    private func withLock<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    var load: (waiting: Int, running: Int) { withLock { (state.waiting, state.running) } }
    var used: Int { withLock { state.used } }

    // MARK: Waiting

    @usableFromInline func submit(_ job: PoolJob, _ perform: @escaping @Sendable (PoolRefusal?) -> Void) {
        job.perform = perform
        // Add the observer before reading the value, so that no change is missed.
        job.priority?.add(job)
        var wakesThread = false
        let refusal: PoolRefusal? = withLock {
            if case .cancelled = job.phase { return .cancelled }
            guard let lane = lane(for: job) else { return .overloaded }
            wait(job, in: lane)
            state.waiting += 1
            wakesThread = state.idle > 0
            // Compare with the number of jobs: an idle thread may have been signalled for an earlier job already.
            if state.waiting > state.idle, state.threads < threadLimit {
                // If the thread cannot be created, existing threads continue, and the next submission tries again.
                if startThread(named: "calotype-pool", { self.work() }) { state.threads += 1 }
            }
            return nil
        }
        if let refusal { return end(job, refusal) }
        // Signal outside the lock, which the thread needs as soon as it wakes.
        if wakesThread { pthread_cond_signal(wake) }
    }

    /// Takes the job's share of its chain's reservation, and returns the lane for the job; `nil` if the queue is full.
    private func lane(for job: PoolJob) -> PoolLane? {
        guard let earlier = job.earlier else { return state.new.jobs.count < queueLimit ? state.new : nil }
        job.covered = min(job.cost, earlier.cost - earlier.held)
        earlier.cost -= job.covered
        if job.added == 0 { return state.begun }
        guard let overdraft = earlier.overdraft else { return state.growing }
        if overdraft.isLent { return overdraft.waiting }
        lend(overdraft, to: job)
        return state.begun
    }

    private func lend(_ overdraft: PoolOverdraft, to job: PoolJob) {
        overdraft.isLent = true
        job.overdraft = PoolOverdraft(self, from: overdraft)
    }

    private func wait(_ job: PoolJob, in lane: PoolLane) {
        job.phase = .waiting(lane.jobs.push(job, priority: job.priority?.value ?? .normal), in: lane)
    }

    func reprioritize(_ job: PoolJob) {
        withLock {
            guard case .waiting(let ticket, let lane) = job.phase, let priority = job.priority else { return }
            lane.jobs.move(ticket, to: priority.value)
            // The new first job may fit although the previous one did not.
            if state.idle > 0 { pthread_cond_signal(wake) }
        }
    }

    @usableFromInline func cancel(_ job: PoolJob) {
        let wasWaiting = withLock {
            switch job.phase {
            case .waiting(let ticket, let lane):
                lane.jobs.remove(ticket)
                state.waiting -= 1
                job.phase = .cancelled
                job.earlier?.cost += job.covered
                // Jobs behind a job that did not fit may fit now.
                pthread_cond_broadcast(wake)
                return true
            case .new:
                job.phase = .cancelled
                return false
            case .cancelled, .started: return false
            }
        }
        if wasWaiting { end(job, .cancelled) }
    }

    private func end(_ job: PoolJob, _ refusal: PoolRefusal) {
        job.leaveChain()
        job.end(refusal)
    }

    func shutDown() {
        withLock {
            state.isShutDown = true
            pthread_cond_broadcast(wake)
        }
    }

    // MARK: Running

    private func work() {
        while let job = next() {
            BlockingPool.perform { job.end() }
            finish(job)
        }
    }

    /// Waits for the next job that may start. Returns `nil` if the pool is shut down and no job waits.
    private func next() -> PoolJob? {
        var wakesOther = false
        let next: PoolJob? = withLock {
            while true {
                if let job = takeFirst() {
                    state.waiting -= 1
                    start(job)
                    // Each woken thread wakes another: the next job may fit, too.
                    wakesOther = state.idle > 0 && state.waiting > 0
                    return job
                }
                if state.isShutDown && state.waiting == 0 {
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

    /// Removes the first job if it may start. Later jobs of chains come first, because they lead to free memory.
    private func takeFirst() -> PoolJob? {
        if let job = state.begun.jobs.pop() { return job }
        if let (_, job) = state.growing.jobs.peek() {
            if job.added > costLimit - state.used {
                guard !state.isOverdrawn else { return nil }
                state.isOverdrawn = true
                job.overdraft = PoolOverdraft(self, from: nil)
            }
            return state.growing.jobs.pop()
        }
        guard let (_, job) = state.new.jobs.peek(), state.used == 0 || job.cost <= costLimit - state.used else {
            return nil
        }
        return state.new.jobs.pop()
    }

    private func start(_ job: PoolJob) {
        job.phase = .started
        state.running += 1
        state.used += job.added
        job.reservation?.cost = job.cost
        // Even if this job is covered, later ones may need more: then they borrow from their chain.
        job.reservation?.overdraft = job.overdraft ?? job.earlier?.overdraft
    }

    private func finish(_ job: PoolJob) {
        withLock {
            state.running -= 1
            giveBackCost(of: job)
        }
        job.leaveChain()
    }

    /// Gives a chain's share back before its task goes on, so that the next job of the chain finds it.
    @usableFromInline func endShare(_ job: PoolJob) {
        if job.earlier != nil { withLock { giveBackCost(of: job) } }
    }

    private func giveBackCost(of job: PoolJob) {
        // With a reservation, the cost stays reserved.
        guard !job.hasEnded, job.reservation == nil else { return }
        job.hasEnded = true
        state.used -= job.added
        job.earlier?.cost += job.covered
    }

    // MARK: Reservations

    func settle(_ reservation: PoolReservation, held: Int, total: Int) {
        change {
            let cost = max(held, min(total, reservation.cost))
            state.used += cost - reservation.cost
            (reservation.cost, reservation.held) = (cost, held)
        }
    }

    func giveBack(_ reservation: PoolReservation) {
        change { state.used -= reservation.cost }
    }

    func returnOverdraft(to lender: PoolOverdraft?) {
        change {
            guard let lender else { return state.isOverdrawn = false }
            guard let job = lender.waiting.jobs.pop() else { return lender.isLent = false }
            lend(lender, to: job)
            wait(job, in: state.begun)
        }
    }

    /// Makes a change after which waiting jobs may start, and wakes a thread for them.
    private func change(_ body: () -> Void) {
        let wakesThread = withLock {
            body()
            return state.idle > 0 && state.waiting > 0
        }
        if wakesThread { pthread_cond_signal(wake) }
    }
}
