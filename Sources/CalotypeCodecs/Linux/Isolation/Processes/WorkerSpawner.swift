import CalotypeBase
import CSandbox
import Glibc

/// The thread that starts all workers of this process.
///
/// The kernel kills a worker when the thread that started it ends (PR_SET_PDEATHSIG), so that no worker outlives a
/// killed program. A thread of a pool may end while the program runs, which would kill the workers that it started.
/// This thread never ends.
final class WorkerSpawner: Sendable {
    static let shared = WorkerSpawner()

    private let jobs = Monitor<[@Sendable () -> Void]>([])
    private let isRunning: Bool

    private init() {
        let jobs = jobs
        isRunning = startThread(named: "calotype-spawn") {
            while true { jobs.wait { $0.isEmpty ? nil : $0.removeFirst() }() }
        }
    }

    /// Runs `job` on the thread, after all earlier jobs.
    func perform(_ job: @escaping @Sendable () -> Void) {
        if isRunning { jobs.change { $0.append(job) } } else { job() }
    }

    /// Waits until all earlier jobs have run.
    func finish() {
        let isDone = Monitor(false)
        perform { isDone.change { $0 = true } }
        isDone.wait { $0 ? () : nil }
    }

    /// Starts a worker and waits until its process exists.
    func start(_ program: WorkerProgram, keeping kept: KeptRegions) throws(WorkerFault) -> WorkerProcess {
        let started = Monitor<Result<WorkerProcess, WorkerFault>?>(nil)
        perform {
            let result = Result { () throws(WorkerFault) in try WorkerProcess(program, keeping: kept) }
            started.change { $0 = result }
        }
        return try started.wait { $0 }.get()
    }
}
