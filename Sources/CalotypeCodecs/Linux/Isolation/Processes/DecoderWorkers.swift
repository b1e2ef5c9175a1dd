import CalotypeBase
public import Foundation

/// Processes that each decode one image at a time, and have no access to files or the network.
///
/// A worker starts on demand, decodes small built-in files so that all libraries are loaded, and then drops its
/// privileges, so that it can only compute and answer. It is replaced after a number of images, or when an image
/// crashes it or exceeds a limit on time or memory. Its successor starts at once, before another image needs it.
/// A worker without work for 10 s gives up the memory that it shares with the program and, unless it is the only one, ends.
///
/// Where the program `calotype-decoder-formats` is installed, it decodes HEIC, JPEG XL, SVG and TIFF for builds without their
/// package traits, in workers of its own. They have the same limits, and end when they have no work.
///
/// ```swift
/// let workers = DecoderWorkers(limit: 4)
/// try workers.start()                                          // fails at once if this machine cannot isolate
/// let decoders = DecoderRegistry.standard.isolated(in: workers)
/// ```
public final class DecoderWorkers: Sendable {
    /// The workers of all registries and loaders for which no other workers are given.
    public static let shared = DecoderWorkers()

    /// Numbers of workers and images since this object was created.
    public struct Counters: Hashable, Sendable {
        /// The number of workers that were started.
        public internal(set) var started = 0
        /// The number of workers that ended, by reason: "reuse" (limit of images), "ended" (crashed or killed), "memory"
        /// (needed or kept too much), "deadline" (took longer than a worker may), "late" (a request's own deadline),
        /// "budget" (a drawing that used up the processor time for drawings), "threads" (started too many), "answer"
        /// (invalid answer), "start" (did not start), "idle" (ended while idle), "unused" (no work for 10 s), "room" (made
        /// way for a worker of the other program) and "closed".
        public internal(set) var ended: [String: Int] = [:]
        /// The number of files that workers received, plus the number of calls of ``DecoderWorkers/start()``.
        public internal(set) var images = 0
        /// The number of requests that were refused because their file had ended two workers.
        public internal(set) var refused = 0
        /// The total time that threads waited because all workers were busy.
        public internal(set) var waited = Duration.zero

        fileprivate static func + (one: Counters, other: Counters) -> Counters {
            var sum = one
            sum.started += other.started
            sum.ended.merge(other.ended, uniquingKeysWith: +)
            sum.images += other.images
            sum.refused += other.refused
            sum.waited += other.waited
            return sum
        }
    }

    let pool: WorkerPool
    /// The workers of `calotype-decoder-formats`, if this build needs it and it is installed.
    let formats: DecoderWorkers?
    /// The permits for drawings: half of the workers, and at least one.
    let drawings: Limiter
    private let deadline: Duration
    private let refused: RefusedFiles

    /// - Parameters:
    ///   - limit: The maximum number of workers. The default is one per processor core, at most 8.
    ///   - reuse: The number of images per worker. With 1, no two images share a process. The default is 100.
    ///   - deadline: The time limit of an image, unless its request sets a shorter one. The default is 30 s. SVG has
    ///     at most 5 s.
    ///   - program: The path of `calotype-decoder`. If `nil` (the default), it is next to the program, or in
    ///     `libexec/calotype` next to the program's folder.
    public convenience init(
        limit: Int = min(ProcessInfo.processInfo.activeProcessorCount, 8), reuse: Int = 100,
        deadline: Duration = .seconds(30), program: String? = nil
    ) {
        self.init(limit: limit, reuse: reuse, deadline: deadline, program: program, variables: [:])
    }

    /// Creates workers that keep at most this much memory for later images between two of them, in bytes.
    ///
    /// - Parameter regions: The memory of all workers together that the program shares with them; half of it for files.
    /// - Parameter waitingDrawings: The maximum number of drawings that wait for their workers; the next is `overloaded`.
    ///     No limit by default.
    package convenience init(limit: Int, regions: Int, waitingDrawings: Int = .max) {
        self.init(
            WorkerProgram(), formats: Self.formats, limit: limit, keeping: KeptRegions(workers: limit, total: regions),
            waitingDrawings: waitingDrawings)
    }

    /// - Parameters:
    ///   - formats: The program that decodes the formats that this build lacks.
    ///   - clock: Measures the 10 minutes for which a file is refused after it has ended two workers, and the 10 s after
    ///     which a worker without work ends.
    ///   - variables: Environment variables of the workers, in place of this process's.
    package convenience init(
        limit: Int, reuse: Int = 100, deadline: Duration = .seconds(30), program: String? = nil,
        formats: String? = nil, clock: any Clock<Duration> = ContinuousClock(), variables: [String: String]
    ) {
        var separate = Self.formats
        if let formats { separate = WorkerProgram(path: formats, decoders: StandardDecoder.separate) }
        separate?.variables = variables
        self.init(
            WorkerProgram(path: program, variables: variables), formats: separate, limit: limit,
            keeping: KeptRegions(workers: limit), reuse: reuse, deadline: deadline, clock: clock)
    }

    /// The program of formats that this build lacks, if it is installed.
    private static var formats: WorkerProgram? {
        StandardDecoder.all.contains(where: \.isSeparate) ? WorkerProgram.formats : nil
    }

    private init(
        _ program: WorkerProgram, formats: WorkerProgram? = nil, limit: Int, keeping kept: KeptRegions,
        waitingDrawings: Int = .max, reuse: Int = 100, deadline: Duration = .seconds(30),
        clock: any Clock<Duration> = ContinuousClock(), keepsLast: Bool = true
    ) {
        pool = WorkerPool(
            limit: limit, reuse: reuse, program: program, keeping: kept, clock: clock, keepsLast: keepsLast)
        self.formats = formats.map { formats in
            DecoderWorkers(
                formats, limit: limit, keeping: KeptRegions(workers: limit, total: 0),
                waitingDrawings: waitingDrawings, reuse: reuse, deadline: deadline, clock: clock, keepsLast: false)
        }
        self.deadline = deadline
        drawings = Limiter(limit: max(limit / 2, 1), queueLimit: waitingDrawings)
        refused = RefusedFiles(clock: clock)
        if let others = self.formats?.pool { pool.share(with: others) }
    }

    /// Waits until a worker is ready for an image, and starts one if none is idle. Does not start one of
    /// `calotype-decoder-formats`.
    ///
    /// - Throws: `decoderFailed` with the reason, for example that `calotype-decoder` is missing, that its version does
    ///   not match this program, or that the kernel lacks seccomp.
    public func start() throws(CodecError) {
        do throws(WorkerFault) {
            pool.give(back: try pool.take(under: DecodeTerms()))
        } catch {
            throw error.error
        }
    }

    /// Ends all idle workers at once, and each busy worker after its image.
    public func close() {
        pool.close()
        formats?.pool.close()
        // Wait for workers that are still starting.
        WorkerSpawner.shared.finish()
    }

    /// The current values of the counters, those of `calotype-decoder-formats` included.
    public var counters: Counters { formats.map { pool.counters + $0.pool.counters } ?? pool.counters }

    /// The maximum number of file descriptors of this process for workers of one program: socket, process, memory, threads
    /// and kept region of each, three new ones for the regions of a large image, and those for starting a worker.
    package var descriptors: Int { 8 * (pool.limit + 1) + 8 }

    /// The process IDs of the idle workers.
    package var idleProcesses: [Int32] { pool.idleProcesses }

    /// Sends a request about a file to a worker. If the worker dies, tries once more with another worker.
    ///
    /// - Parameters:
    ///   - terms: What the caller allows.
    ///   - use: Called with the answer and the pixel region. The worker does not get another request meanwhile.
    func answer<Result>(
        _ request: DecoderRequest, _ data: Data, under terms: DecodeTerms,
        _ use: (WorkerAnswer, SharedRegion) throws(WorkerFault) -> Result
    ) throws(CodecError) -> Result {
        try check(data)
        return try atMostTwice { () throws(WorkerFault) in
            let worker = try pool.take(under: terms)
            return try using(worker, data) { () throws(WorkerFault) in
                let result = try ask(worker, request, data, under: terms, use)
                // Only pixels prove that the file is harmless: a header does not reach all of the codec.
                if request.resultSize != nil { forget(data) }
                pool.give(back: worker)
                return result
            }
        }
    }

    /// Runs `body`, and once more if its worker ends by itself: the file need not be the cause.
    func atMostTwice<Result>(_ body: () throws(WorkerFault) -> Result) throws(CodecError) -> Result {
        do throws(WorkerFault) {
            do throws(WorkerFault) {
                return try body()
            } catch {
                guard error.kind == .ended else { throw error }
                return try body()
            }
        } catch {
            throw error.error
        }
    }

    /// Sends a request to this worker.
    ///
    /// - Parameter data: The file, or `nil` if the request concerns the open animation.
    func ask<Result>(
        _ worker: WorkerProcess, _ request: DecoderRequest, _ data: Data?, under terms: DecodeTerms,
        _ use: (WorkerAnswer, SharedRegion) throws(WorkerFault) -> Result
    ) throws(WorkerFault) -> Result {
        let limit = min(deadline, request.decoder.deadline ?? deadline)
        guard request.decoder.drawsVectors, let budget = terms.drawings else {
            return try worker.answer(request, data, within: limit, under: terms, use)
        }
        let begun = ContinuousClock.now, before = worker.processorTime ?? .zero
        // A worker that has ended counts as one that worked all the time.
        defer { budget.charge(worker.processorTime.map { $0 - before } ?? ContinuousClock.now - begun) }
        return try worker.answer(request, data, within: limit, working: budget.allowance, under: terms, use)
    }

    /// Runs `body`, and ends the worker if `body` throws. Counts the fault against the file if that may be its cause.
    func using<Result>(
        _ worker: WorkerProcess, _ data: Data, _ body: () throws(WorkerFault) -> Result
    ) throws(WorkerFault) -> Result {
        do throws(WorkerFault) {
            return try body()
        } catch {
            if error.blamesFile { refused.count(data) }
            pool.discard(worker, because: error)
            throw error
        }
    }

    /// Forgets that the file ended workers. Called after a worker has decoded pixels of the file.
    func forget(_ data: Data) { refused.forget(data) }

    /// Throws `decoderFailed` if the file has ended two workers within the last 10 minutes.
    func check(_ data: Data) throws(CodecError) {
        guard refused.contains(data) else { return }
        pool.countRefusal()
        throw CodecError(.decoderFailed, "the file ended two decoders, and is refused for 10 minutes")
    }
}
