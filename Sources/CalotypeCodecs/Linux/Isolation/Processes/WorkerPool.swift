import CalotypeBase

/// A pool of workers with a maximum size. Workers start on demand.
final class WorkerPool: Sendable {
    private struct State {
        var idle = IdleWorkers<WorkerProcess>()
        /// The number of processes that are idle, busy or about to start.
        var processes = 0
        /// The number of workers that open animations keep.
        var kept = 0
        var isClosed = false
        /// Whether a task waits until an idle worker has had no work for ``patience``.
        var isWatched = false
        var counters = DecoderWorkers.Counters()
    }

    let limit: Int
    private let reuse: Int
    private let program: WorkerProgram
    private let kept: KeptRegions
    private let clock: any Clock<Duration>
    private let keepsLast: Bool
    private let state = Monitor(State())
    private let neighbor = Locked(Neighbor())
    /// The time without work after which a worker gives up its regions and, unless it is the only one, ends.
    static let patience = Duration.seconds(10)

    /// The pool of another program whose workers decode for the same threads. Each pool knows the other.
    private struct Neighbor {
        weak var pool: WorkerPool?
    }

    /// - Parameter keepsLast: Whether the last worker stays although it has no work.
    init(
        limit: Int, reuse: Int, program: WorkerProgram, keeping kept: KeptRegions, clock: any Clock<Duration>,
        keepsLast: Bool
    ) {
        self.limit = max(limit, 1)
        self.reuse = max(reuse, 1)
        self.program = program
        self.kept = kept
        self.clock = clock
        self.keepsLast = keepsLast
    }

    /// Lets both pools have at most one worker more than `limit` together, as far as not all of them are busy.
    func share(with other: WorkerPool) {
        neighbor.withLock { $0.pool = other }
        other.neighbor.withLock { $0.pool = self }
    }

    deinit { close() }

    var counters: DecoderWorkers.Counters { state.read { $0.counters } }

    var idleProcesses: [Int32] { state.read { $0.idle.workers.map(\.process) } }

    func countRefusal() { state.change { $0.counters.refused += 1 } }

    /// Ends all idle workers at once, and each busy worker when it is given back.
    func close() {
        let idle = state.change { state in
            state.isClosed = true
            let idle = state.idle.takeAll()
            state.processes -= idle.count
            return idle
        }
        for worker in idle { worker.end() }
    }

    // MARK: - Taking and giving back

    /// Returns a worker that is ready for a file. Waits while all are busy, but no longer than the terms permit.
    func take(under terms: DecodeTerms) throws(WorkerFault) -> WorkerProcess {
        var attempts = 0
        while true {
            let worker = try next(under: terms)
            do throws(WorkerFault) {
                try worker.becomeReady(under: terms)
            } catch {
                if error.kind == .late {
                    keepIdle(worker)
                    throw error
                }
                discard(worker, because: error)
                attempts += 1
                // Another process or the kernel may have ended the worker, so try a second one.
                guard error.kind == .ended, attempts < 2 else { throw error.starting }
                continue
            }
            guard !worker.isUnusable else {
                end(worker, "idle")
                continue
            }
            guard terms.leavesTime else {
                give(back: worker)
                throw .late
            }
            if worker.images + 1 >= reuse { startInAdvance() }
            state.change { $0.counters.images += 1 }
            return worker
        }
    }

    private enum Step {
        case use(WorkerProcess)
        case start
    }

    private func next(under terms: DecodeTerms) throws(WorkerFault) -> WorkerProcess {
        if case .use(let worker) = try nextStep(under: terms) { return worker }
        if let other = neighbor.withLock({ $0.pool }) { other.makeRoom(limit + 1 - state.read { $0.processes }) }
        do throws(WorkerFault) {
            let worker = try WorkerSpawner.shared.start(program, keeping: kept)
            state.change { $0.counters.started += 1 }
            return worker
        } catch {
            state.change { $0.processes -= 1 }
            throw error
        }
    }

    private func nextStep(under terms: DecodeTerms) throws(WorkerFault) -> Step {
        let begin = ContinuousClock.now
        defer { state.change { $0.counters.waited += ContinuousClock.now - begin } }
        while terms.leavesTime {
            // In slices, because the time left need not be that of this clock.
            let step: Step? = state.wait(atMost: min(terms.timeLeft?() ?? .seconds(1), .milliseconds(100))) { state in
                // Prefer the worker used last: its memory is still in the processor's caches.
                if let worker = state.idle.takeLast() { return .use(worker) }
                guard state.processes < limit else { return nil }
                state.processes += 1
                return .start
            }
            if let step { return step }
        }
        throw .late
    }

    /// Takes a worker back after its answer. Ends it if it keeps too much memory, has received `reuse` files, or the pool is
    /// closed.
    func give(back worker: WorkerProcess) {
        let reason = worker.keepsTooMuch ? "memory" : worker.images >= reuse ? "reuse" : nil
        let isIdle = state.change { state in
            guard reason == nil, !state.isClosed else { return false }
            state.idle.add(worker, Stopwatch(clock))
            return true
        }
        if isIdle { return watch() }
        end(worker, reason ?? "closed")
        if reason == "memory" { startInAdvance() }
    }

    /// Ends idle workers until at most `count` processes are left.
    private func makeRoom(_ count: Int) {
        let ending = state.change { state in
            var ending: [WorkerProcess] = []
            while state.processes - ending.count > count, let worker = state.idle.takeFirst() { ending.append(worker) }
            return ending
        }
        for worker in ending { end(worker, "room") }
    }

    func discard(_ worker: WorkerProcess, because fault: WorkerFault) {
        end(worker, fault.kind.rawValue)
        if fault.kind != .start { startInAdvance() }
    }

    private func end(_ worker: WorkerProcess, _ reason: String) {
        worker.end()
        state.change { state in
            state.processes -= 1
            state.counters.ended[reason, default: 0] += 1
        }
    }

    /// Starts the successor of a worker, without waiting for it.
    private func startInAdvance() {
        let isWanted = state.change { state in
            // May exceed the limit by one process: a worker on its last image still runs when its successor starts.
            guard !state.isClosed, state.processes <= limit else { return false }
            state.processes += 1
            return true
        }
        guard isWanted else { return }
        WorkerSpawner.shared.perform { [weak self, program, kept] in
            if let worker = try? WorkerProcess(program, keeping: kept) {
                self?.state.change { $0.counters.started += 1 }
                self?.keepIdle(worker)
            } else {
                self?.state.change { $0.processes -= 1 }
            }
        }
    }

    /// Keeps a worker that may not be ready yet until somebody takes it.
    private func keepIdle(_ worker: WorkerProcess) {
        let isIdle = state.change { state in
            guard !state.isClosed else {
                state.processes -= 1
                return false
            }
            state.idle.addNew(worker, Stopwatch(clock))
            return true
        }
        if isIdle { watch() } else { worker.end() }
    }

    // MARK: - Workers without work

    /// Starts the task that ends idle workers, unless it runs already.
    private func watch() {
        let starts = state.change { state in
            guard !state.isWatched else { return false }
            state.isWatched = true
            return true
        }
        guard starts else { return }
        Task.detached { [weak self, clock] in
            while let wait = self?.nextRest() {
                guard (try? await clock.sleep(for: wait)) != nil else { return }
                self?.rest()
            }
        }
    }

    /// Returns the time until the next idle worker has had no work for ``patience``, or `nil` if the task is to end.
    private func nextRest() -> Duration? {
        state.change { state in
            let wait = state.isClosed ? nil : state.idle.nextRest(after: Self.patience)
            if wait == nil { state.isWatched = false }
            return wait
        }
    }

    /// Ends the workers that have had no work for ``patience``. If the last one stays, it gives up its regions.
    private func rest() {
        let (ending, staying) = state.change { state in
            state.idle.takeRested(after: Self.patience, of: keepsLast ? state.processes : .max)
        }
        for worker in ending { end(worker, "unused") }
        guard let staying else { return }
        staying.giveUpRegions()
        let isClosed = state.change { state in
            if state.isClosed { state.processes -= 1 } else { state.idle.addRested(staying) }
            return state.isClosed
        }
        if isClosed { staying.end() }
    }

    // MARK: - Animations

    /// Reserves a worker for an open animation. Returns `false` if half of `limit` (rounded down) is already reserved.
    func keep() -> Bool {
        state.change { state in
            guard 2 * (state.kept + 1) <= limit else { return false }
            state.kept += 1
            return true
        }
    }

    /// Releases the reservation of a successful `keep()`.
    func letGo() { state.change { $0.kept -= 1 } }
}

extension DecodeTerms {
    /// Whether enough time is left to begin.
    fileprivate var leavesTime: Bool { timeLeft.map { $0() >= Self.leastTime } ?? true }
}

extension WorkerFault {
    /// The fault of a worker that never became ready.
    fileprivate var starting: WorkerFault {
        kind == .start ? self : WorkerFault(.start, "a decoder does not start: \(message)")
    }
}
