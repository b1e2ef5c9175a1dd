import CalotypeBase

final class RunProgress: Sendable {
    private struct Counts {
        var finished = 0
        var failed = 0
        var skipped = 0
        var cancelled = 0
        var bytesWritten = 0
    }

    let total: Int
    private let parallel: Int
    private let meter: Meter
    private let countsDownloads: Bool
    private let console: Console
    private let counts = Locked(Counts())
    private let start = ContinuousClock.now

    /// - Parameters:
    ///   - parallel: The maximum number of images in flight.
    ///   - countsDownloads: Whether the line shows the bytes from the network, not the size of the written files.
    init(total: Int, parallel: Int, meter: Meter, countsDownloads: Bool, console: Console) {
        self.total = total
        self.parallel = parallel
        self.meter = meter
        self.countsDownloads = countsDownloads
        self.console = console
    }

    var failed: Int { counts.withLock { $0.failed } }
    var skipped: Int { counts.withLock { $0.skipped } }
    var succeeded: Int { counts.withLock { $0.finished - $0.failed - $0.cancelled } }
    var bytes: Int { countsDownloads ? meter.received : counts.withLock { $0.bytesWritten } }
    var elapsed: Duration { ContinuousClock.now - start }

    func note(_ result: Result<ImageOutcome.End, Failure>) {
        counts.withLock { counts in
            counts.finished += 1
            switch result {
            case .success(.written(let result, _, _)): counts.bytesWritten += result.image.data.count
            case .success(.skipped): counts.skipped += 1
            case .failure(let failure) where failure.isCancelled: counts.cancelled += 1
            case .failure: counts.failed += 1
            }
        }
    }

    func shown(if isWanted: Bool, _ work: () async -> Void) async {
        guard console.showsStatus, isWanted else { return await work() }
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
        let wait = meter.wait(ofAll: min(parallel, total - counts.finished))
        return ProgressLine(
            total: total, finished: counts.finished, failed: counts.failed, bytes: bytes,
            partial: countsDownloads ? meter.partial : 0, seconds: elapsed / .seconds(1),
            wait: wait.map { $0 / .seconds(1) })
    }
}
