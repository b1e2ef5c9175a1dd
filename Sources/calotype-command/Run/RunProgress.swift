import CalotypeConcurrency

/// Counts what has ended, and keeps the status line of a terminal up to date.
final class FetchProgress: Sendable {
    private struct Counts {
        var finished = 0
        var failed = 0
        var cancelled = 0
        var bytesWritten = 0
    }

    let total: Int
    private let meter: Meter
    private let console: Console
    private let counts = Locked(Counts())
    private let start = ContinuousClock.now

    init(total: Int, meter: Meter, console: Console) {
        self.total = total
        self.meter = meter
        self.console = console
    }

    var failed: Int { counts.withLock { $0.failed } }
    var succeeded: Int { counts.withLock { $0.finished - $0.failed - $0.cancelled } }
    var bytesWritten: Int { counts.withLock { $0.bytesWritten } }
    var bytesReceived: Int { meter.received }
    var elapsed: Duration { ContinuousClock.now - start }

    func note(_ outcome: FetchOutcome) {
        counts.withLock { counts in
            counts.finished += 1
            switch outcome.result {
            case .success(let written): counts.bytesWritten += written.file.data.count
            case .failure(let failure) where failure.isCancelled: counts.cancelled += 1
            case .failure: counts.failed += 1
            }
        }
    }

    /// Shows the line, ten times a second, while `work` runs.
    func shown(_ work: () async -> Void) async {
        guard console.showsStatus else { return await work() }
        let ticker = Task { await tick() }
        await work()
        ticker.cancel()
        await ticker.value
        console.status(nil)
    }

    private func tick() async {
        while !Task.isCancelled {
            console.status(line.text(width: console.width))
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    private var line: ProgressLine {
        let counts = counts.withLock { $0 }
        return ProgressLine(
            total: total, finished: counts.finished, failed: counts.failed, bytes: meter.received,
            partial: meter.partial, seconds: Amounts.seconds(elapsed))
    }
}
