import CalotypeBase
import Dispatch
import Foundation

/// Runs work that locks files, and keeps the system from suspending the process meanwhile.
///
/// iOS kills a suspended process that holds a lock on a file in an app group's container (0xdead10cc), because the
/// group's other processes would wait for it.
package enum UninterruptedWork {
    #if os(macOS)
        /// Whether a process may hold file locks while it is idle.
        package static let keepsLocks = true

        /// Performs the work directly: macOS kills no process for its locks.
        package static func perform<Result, Failure: Error>(
            _ work: () throws(Failure) -> Result
        ) throws(Failure) -> Result { try work() }
    #else
        /// Whether a process may hold file locks while it is idle.
        package static let keepsLocks = false

        /// Performs the work on this thread, after the system has agreed not to suspend the process meanwhile.
        package static func perform<Result, Failure: Error>(
            _ work: () throws(Failure) -> Result
        ) throws(Failure) -> Result {
            let end = begin()
            defer { end.signal() }
            return try work()
        }

        /// Waits until the system permits the work. Returns the semaphore to signal at the end of the work.
        private static func begin() -> DispatchSemaphore {
            while true {
                let (answer, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                let isGranted = Locked(false)
                ProcessInfo.processInfo.performExpiringActivity(withReason: "Calotype writes to its store") {
                    isOver in
                    // When the permitted time runs out, the system calls this closure again, on another thread. The
                    // work is short and continues to its end.
                    if !isOver { isGranted.withLock { $0 = true } }
                    answer.signal()
                    if !isOver { end.wait() }
                }
                answer.wait()
                if isGranted.withLock({ $0 }) { return end }
                // Not permitted: the system is about to suspend the process, which holds no lock. The loop
                // continues after the suspension.
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
    #endif
}
