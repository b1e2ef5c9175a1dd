package import Calotype
import CalotypeConcurrency

/// The latest loads, oldest first. Safe to use from any thread.
package final class LoadLog: Sendable {
    private static let limit = 500
    private let entries = Locked([ImageLoadMetrics]())

    package init() {}

    package var latest: [ImageLoadMetrics] { entries.withLock { $0 } }

    package func add(_ metrics: ImageLoadMetrics) {
        entries.withLock { entries in
            if entries.count == LoadLog.limit { entries.removeFirst() }
            entries.append(metrics)
        }
    }
}
