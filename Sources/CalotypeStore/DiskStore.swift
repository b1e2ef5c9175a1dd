public import CalotypeBase
import Foundation

/// A persistent store for bytes and their metadata: bounded, checksummed, shared by processes, non-blocking.
///
/// ```swift
/// let store = DiskStore(directory: "/var/cache/pictures") { problem in print(problem) }
/// try await store.store(body, metadata: headers, for: "https://example.org/cat.jpg")
/// if let entry = try await store.entry(for: "https://example.org/cat.jpg") { show(entry.body) }
/// ```
///
/// **Intact or absent.** Reading returns exactly the stored bytes or `nil`: the checksums of body and metadata are
/// verified at each read. A damaged entry is deleted, reported and counts as a miss.
///
/// **Asynchronous writes.** `store` and `remove` return as soon as the change is in memory, where reads find it; a
/// writer thread combines pending changes into transactions. `flush()` waits for the disk and throws errors. An entry
/// that cannot be written is dropped. A removal that fails is retried, and the entry counts as absent meanwhile; if
/// more than 1 MiB of such removals are pending, everything is removed.
///
/// **Bounded.** The size (a write trims the least recently used entries), the age of entries and the memory for pending
/// writes have limits.
///
/// **Robust.** A process may be killed at any point; the directory may be deleted, read-only or damaged: the store then
/// has fewer entries, reports that, and continues. On a full disk the least recently used entries make room. By default
/// a write is not forced to the disk: see `DiskStoreOptions.survivesPowerLoss`. An error of the store is never a reason
/// to fail a load.
///
/// Several instances and several processes may share a directory on a local file system.
public final class DiskStore: Sendable {
    /// The path of the store's directory, which should contain nothing else.
    public let directory: String
    /// The options of the store, with each number in its valid range.
    public let options: DiskStoreOptions

    package let wallClock: WallClock
    let clock: any Clock<Duration>
    let pending = Locked(PendingWrites())
    let counters = Locked(Counters())
    let budget: WriteBudget

    // One thread writes, which keeps the writes in order; two read, each with a separate connection.
    let writerThread = BlockingPool(threads: 1)
    package let readerThreads = BlockingPool(threads: DiskStore.readerCount)
    /// The threads that write bodies while they arrive, so that these hold up no index.
    let streamThreads = BlockingPool(threads: 2)
    let streamRoom: StreamRoom
    let writer: Locked<StoreWriter>
    let readers: [Locked<StoreReader>]
    let idleReaders = Locked(Array(0..<DiskStore.readerCount))
    static let readerCount = 2
    let openFiles = OpenFiles(limit: DescriptorBudget.current.files)

    private let onProblem: (@Sendable (StoreProblem) -> Void)?
    private let sweeping = Locked<Task<Void, Never>?>(nil)
    let retrying = Locked<Task<Void, Never>?>(nil)
    /// The pause before removals that failed on the disk are retried.
    static let retryPause = Duration.seconds(10)

    struct Counters {
        var statistics = StoreStatistics()
        var isClosed = false
        /// The first failure since the last `flush()`.
        var failure: StoreError?
        /// The failures that continue, so that each is reported only once.
        var failures: [Failure: FailureTrace] = [:]
    }

    struct Failure: Hashable {
        let code: StoreProblem.Code
        let cause: StoreError.Code
    }

    /// The course of a failure so far.
    struct FailureTrace {
        /// The size of the largest entry lost, in bytes.
        var bytes: Int
        /// The time of the last loss, in seconds since 1970.
        var time: Double
    }

    /// Returns `true` if the directory contains a store. Creates nothing.
    package static func exists(in directory: String) -> Bool {
        FileSystem.exists(StoreLayout(directory: directory).index)
    }

    /// Makes the directory of a store, if it does not exist.
    ///
    /// - Throws: `StoreError` if it cannot be made or written to.
    package static func makeFolder(_ directory: String) throws(StoreError) {
        try FileSystem.makeDirectory(directory)
        guard FileSystem.isWritable(directory) else {
            throw StoreError(errno: errno, doing: "writing to the directory", path: directory)
        }
    }

    /// Creates a store without touching the disk: the first write creates directory and index.
    ///
    /// - Parameters:
    ///   - directory: The path of the store's directory. Missing directories on it are created.
    ///   - wallClock: The time of day, for ages and expiry.
    ///   - clock: The clock for the intervals of sweeps and retries.
    ///   - onProblem: Called on any thread with each internal problem. A failure that continues is reported once.
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
        streamRoom = StreamRoom(limit: options.bytesAfterTrim)
        writer = Locked(StoreWriter(layout: layout, options: options, streamRoom))
        readers = (0..<DiskStore.readerCount).map { _ in Locked(StoreReader(layout: layout, options: options)) }
        sweepPeriodically()
    }

    deinit {
        sweeping.withLock { $0?.cancel() }
        retrying.withLock { $0?.cancel() }
        noteUsesAtEnd()
    }

    /// Writes pending operations, then closes files and connections. Later calls throw `closed`.
    ///
    /// A store released without `close()` writes pending operations all the same, if the process lives long enough.
    ///
    /// Cancelling the caller does not interrupt the closing.
    public func close() async throws(StoreError) {
        sweeping.withLock { $0?.cancel() }
        try await uninterrupted { [self] () throws(StoreError) in
            try await writeAllPending()
            counters.withLock { $0.isClosed = true }
            // Write again, because operations may have arrived during the first write.
            try await writeAllPending()
            try await onWriter { $0.close() }
            for reader in readers { reader.withLock { $0.close() } }
            openFiles.removeAll()
            try throwFailure()
        }
    }

    package var isClosed: Bool { counters.withLock { $0.isClosed } }

    func checkOpen() throws(StoreError) {
        if isClosed { throw .closed }
    }

    func report(_ problem: StoreProblem) { onProblem?(problem) }

    private func sweepPeriodically() {
        let task = Task.detached { [weak self, clock, options] in
            var pause = options.sweepDelay
            while (try? await clock.sleep(for: pause)) != nil {
                try? await self?.sweep(unlessWithin: options.sweepInterval)
                pause = options.sweepInterval
            }
        }
        sweeping.withLock { $0 = task }
    }

    /// Starts writing the uses and the failed removals that are still in memory, without waiting for the disk.
    private func noteUsesAtEnd() {
        guard let batch = pending.withLock({ $0.nextBatch(byteLimit: .max, retries: true) }) else { return }
        writerThread.enqueue { [writer] isRefused in
            if !isRefused { _ = writer.work { $0.write(batch) } }
        }
    }
}
