public import CalotypeBase
import Foundation

/// Keeps bytes and their metadata on the disk: bounded, checksummed, shared by processes, and never in the way.
///
/// ```swift
/// let store = DiskStore(directory: "/var/cache/pictures") { problem in print(problem) }
/// try await store.store(body, metadata: headers, for: "https://example.org/cat.jpg")
/// if let entry = try await store.entry(for: "https://example.org/cat.jpg") { show(entry.body) }
/// ```
///
/// **Bytes as they came.** What you get is what you stored, or nothing: every body and its metadata are held against
/// checksums as they are read. What fails is deleted, reported and a miss.
///
/// **Behind.** `store` and `remove` return as soon as the change waits in memory, where reads find it; a writer thread
/// puts all that waits into one transaction. `flush()` returns when it is on the disk and throws what went wrong. An entry
/// that fails is dropped. A removal that fails is tried again, and the entry is absent meanwhile; if more than 1 MiB of such
/// removals wait, everything is removed.
///
/// **Bounded.** By bytes at every write, least recently used first out, by age, and in what waits in memory.
///
/// **Robust.** A process may be killed at any point, the disk may be full, the directory deleted, read-only or damaged:
/// the store then has less in it, reports that, and goes on. By default nothing is forced to the disk: see
/// `DiskStoreOptions.survivesPowerLoss`. An error from the store is never a reason to fail a load.
///
/// Several instances and several processes may use one directory, on a local file system.
public final class DiskStore: Sendable {
    /// Where it lies. Nothing else should be kept there.
    public let directory: String
    /// The options that the store was opened with.
    public let options: DiskStoreOptions

    let wallClock: WallClock
    let clock: any Clock<Duration>
    let pending = Locked(PendingWrites())
    let counters = Locked(Counters())
    let budget: WriteBudget

    // One thread writes, so that what it writes is in order; two read, each with a connection of its own.
    let writerThread = BlockingPool(threads: 1)
    package let readerThreads = BlockingPool(threads: DiskStore.readerCount)
    let writer: Locked<StoreWriter>
    let readers: [Locked<StoreReader>]
    let idleReaders = Locked(Array(0..<DiskStore.readerCount))
    static let readerCount = 2
    let openFiles = OpenFiles(limit: DescriptorBudget.current.files)

    private let onProblem: (@Sendable (StoreProblem) -> Void)?
    private let sweeping = Locked<Task<Void, Never>?>(nil)
    let retrying = Locked<Task<Void, Never>?>(nil)
    /// The time after which removals that did not reach the disk are tried again.
    static let retryPause = Duration.seconds(10)

    struct Counters {
        var statistics = StoreStatistics()
        var isClosed = false
        /// The first failure since the last `flush()`.
        var failure: StoreError?
        /// The failures of the last write.
        var failures: Set<Failure> = []
    }

    struct Failure: Hashable {
        let code: StoreProblem.Code
        let cause: StoreError.Code
    }

    /// Returns whether a directory has been a store before. Opening one would create its index.
    package static func exists(in directory: String) -> Bool {
        FileSystem.exists(StoreLayout(directory: directory).index)
    }

    /// Does not touch the disk: directory and index are made at the first write.
    ///
    /// - Parameters:
    ///   - directory: a path. It, and those above it, are made when missing.
    ///   - wallClock: the time of day, for ages and expiry.
    ///   - clock: what the periodic sweep waits on.
    ///   - onProblem: told of what went wrong inside, on any thread. A failure that goes on is reported once.
    public init(
        directory: String, options: DiskStoreOptions = .init(), wallClock: WallClock = .system,
        clock: any Clock<Duration> = ContinuousClock(), onProblem: (@Sendable (StoreProblem) -> Void)? = nil
    ) {
        let options = options.withinRange
        self.directory = directory
        self.options = options
        self.wallClock = wallClock
        self.clock = clock
        self.onProblem = onProblem
        budget = WriteBudget(limit: options.pendingLimit)
        let layout = StoreLayout(directory: directory)
        writer = Locked(StoreWriter(layout: layout, options: options))
        readers = (0..<DiskStore.readerCount).map { _ in Locked(StoreReader(layout: layout, options: options)) }
        sweepPeriodically()
    }

    deinit {
        sweeping.withLock { $0?.cancel() }
        retrying.withLock { $0?.cancel() }
        noteUsesAtEnd()
    }

    /// Writes what waits, gives back files and connections. Every later call throws `closed`.
    ///
    /// A store that is let go without it writes what waits all the same, if the process lives that long.
    ///
    /// A caller that is cancelled does not stop it half-way.
    public func close() async throws(StoreError) {
        sweeping.withLock { $0?.cancel() }
        try await uninterrupted { [self] () throws(StoreError) in try await closeUninterrupted() }
    }

    private func closeUninterrupted() async throws(StoreError) {
        try await writeAllPending()
        counters.withLock { $0.isClosed = true }
        // Once more, for what came in between.
        try await writeAllPending()
        try await onWriter { $0.close() }
        for reader in readers { reader.withLock { $0.close() } }
        openFiles.removeAll()
        try throwFailure()
    }

    package var isClosed: Bool { counters.withLock { $0.isClosed } }

    func checkOpen() throws(StoreError) {
        if isClosed { throw .closed }
    }

    func report(_ problem: StoreProblem) {
        onProblem?(problem)
    }

    private func sweepPeriodically() {
        let delay = options.sweepDelay
        let interval = options.sweepInterval
        let task = Task.detached { [weak self, clock] in
            var pause = delay
            while (try? await clock.sleep(for: pause)) != nil {
                guard let self else { return }
                await self.sweep(unlessWithin: interval)
                pause = interval
            }
        }
        sweeping.withLock { $0 = task }
    }

    /// The last uses are worth a try, but nobody waits for them here.
    private func noteUsesAtEnd() {
        guard let batch = pending.withLock({ $0.nextBatch(byteLimit: .max, retries: true) }) else { return }
        let (thread, writer) = (writerThread, writer)
        Task.detached {
            try? await thread.run { () throws(StoreError) in _ = writer.work { $0.write(batch) } }
        }
    }
}
