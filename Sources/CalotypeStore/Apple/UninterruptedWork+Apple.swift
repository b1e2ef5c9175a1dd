#if canImport(Darwin)
    import CalotypeBase
    import Dispatch
    import Foundation

    /// Work with a lock on a file, during which the system does not suspend the process.
    ///
    /// iOS ends a suspended process that holds a lock on a file of an app group's container, since the group's other processes
    /// would wait for it (0xdead10cc).
    enum UninterruptedWork {
        #if os(macOS)
            /// Whether a lock may be held between two pieces of work.
            static let keepsLocks = true

            /// Does the work here and now. A Mac ends no process for its locks.
            static func perform<Result, Failure: Error>(
                _ work: () throws(Failure) -> Result
            ) throws(Failure) -> Result { try work() }
        #else
            /// Whether a lock may be held between two pieces of work.
            static let keepsLocks = false

            /// Does the work on this thread, once the system has agreed not to suspend the process meanwhile.
            static func perform<Result, Failure: Error>(
                _ work: () throws(Failure) -> Result
            ) throws(Failure) -> Result {
                let end = begin()
                defer { end.signal() }
                return try work()
            }

            /// - Returns: What to signal at the end of the work.
            private static func begin() -> DispatchSemaphore {
                while true {
                    let (answer, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                    let isGranted = Locked(false)
                    ProcessInfo.processInfo.performExpiringActivity(withReason: "Calotype writes to its store") {
                        isOver in
                        // Called again, on another thread, when time runs out. The work is short and goes on to its end.
                        if !isOver { isGranted.withLock { $0 = true } }
                        answer.signal()
                        if !isOver { end.wait() }
                    }
                    answer.wait()
                    if isGranted.withLock({ $0 }) { return end }
                    // About to be suspended, with no lock held. This goes on when the process does.
                    Thread.sleep(forTimeInterval: 0.1)
                }
            }
        #endif
    }
#endif
