import Calotype
import CalotypeBase
import Foundation
import Testing
import Waiting

/// Whatever callers do with a loader, no load waits for ever, no image is a wrong one, and nothing is lost.
///
/// `CALOTYPE_LOADER_OPERATIONS` is the number of operations, 20,000 by default; `Scripts/soak loader` sets it.
@Suite struct RandomOperationTests {
    @Test(arguments: [1, 2] as [UInt64])
    func `after thousands of operations of any kind, a loader is at rest`(seed: UInt64) async throws {
        let environment = ProcessInfo.processInfo.environment
        let total = environment["CALOTYPE_LOADER_OPERATIONS"].flatMap(Int.init) ?? 20_000
        for round in 0..<max(total / 20_000, 1) {
            let operations = try RandomOperations()
            // Reads the time to end a run that hangs, not to wait.
            let watch = Task {
                var last = -1
                while !Task.isCancelled, operations.count > last {
                    last = operations.count
                    try await Task.sleep(for: .seconds(60))
                }
                guard !Task.isCancelled else { return }
                Issue.record("nothing has ended for a minute: \(operations.inProgress.withLock { $0 })")
                operations.loader.invalidate()
            }
            await operations.run(min(total, 20_000) / 2, seed: seed &+ UInt64(round) &* 2)
            watch.cancel()
            await waitUntil { operations.isAtRest }
            try await operations.loader.diskStore?.close()
        }
    }
}
