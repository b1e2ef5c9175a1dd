import CalotypeBase
public import Foundation

/// Processes that decode one image at a time and can do nothing else.
///
/// A worker starts on demand, decodes small built-in files so that all libraries are loaded, and then gives up every
/// right but to compute and to answer. It ends after a number of images, after the first damaged file, and when it takes
/// more time or memory than the image may. Another one starts in advance.
///
/// ```swift
/// let workers = DecoderWorkers(limit: 4)
/// try workers.start()                                          // fails at once if this machine cannot isolate
/// let decoders = DecoderRegistry.standard.isolated(in: workers)
/// ```
public final class DecoderWorkers: Sendable {
    /// The workers of registries and loaders that name no others.
    public static let shared = DecoderWorkers()

    /// The numbers of workers and images since the program started.
    public struct Counters: Hashable, Sendable {
        /// The workers that were started.
        public internal(set) var started = 0
        /// The workers that ended, by reason: "reuse", "damaged", "ended", "memory", "deadline", "answer", "start",
        /// "idle" and "closed".
        public internal(set) var ended: [String: Int] = [:]
        /// The files that workers received.
        public internal(set) var images = 0
        /// The files that were refused because they ended two workers before.
        public internal(set) var refused = 0
        /// The time that threads waited for a worker.
        public internal(set) var waited = Duration.zero
    }

    let pool: WorkerPool
    private let deadline: Duration
    private let refused: RefusedFiles

    /// - Parameters:
    ///   - limit: The number of images that decode at the same time. One for each core by default, at most 8.
    ///   - reuse: The number of images that one worker decodes. 1 means that no two images meet. The default is 100.
    ///   - deadline: The time for an image whose request sets no deadline. The default is 30 s; SVG has at most 5 s.
    ///   - program: The path of `calotype-decoder`. If `nil` (the default), it is next to the program, or in
    ///     `libexec/calotype` next to the program's folder.
    public convenience init(
        limit: Int = min(ProcessInfo.processInfo.activeProcessorCount, 8), reuse: Int = 100,
        deadline: Duration = .seconds(30), program: String? = nil
    ) {
        self.init(limit: limit, reuse: reuse, deadline: deadline, program: program, clock: ContinuousClock())
    }

    /// - Parameter clock: The clock by which files are refused.
    package init(limit: Int, reuse: Int, deadline: Duration, program: String?, clock: any Clock<Duration>) {
        pool = WorkerPool(limit: limit, reuse: reuse, program: WorkerProgram(path: program))
        self.deadline = deadline
        refused = RefusedFiles(clock: clock)
    }

    /// Starts a worker, and waits until it is ready for an image.
    ///
    /// - Throws: `decoderFailed` with a message that names the missing part: `calotype-decoder`, the same version of
    ///   it, or seccomp.
    public func start() throws(CodecError) {
        do throws(WorkerFault) {
            pool.give(back: try pool.take())
        } catch {
            throw error.error
        }
    }

    /// Ends all idle workers, and each busy one after its image.
    public func close() {
        pool.close()
        // A successor may be starting.
        WorkerSpawner.shared.finish()
    }

    /// The numbers so far.
    public var counters: Counters { pool.counters }

    /// The processes that wait for an image.
    package var idleProcesses: [Int32] { pool.idleProcesses }

    // MARK: - One image

    /// Has a worker answer a request about a file, and another one if the first ends by itself.
    ///
    /// - Parameters:
    ///   - limit: The deadline of the image, if it has one.
    ///   - use: Called with the answer and the region of pixels, which belongs to the caller until it returns.
    func answer<Result>(
        _ request: DecoderRequest, _ data: Data, within limit: Duration? = nil,
        _ use: (WorkerAnswer, SharedRegion) throws(WorkerFault) -> Result
    ) throws(CodecError) -> Result {
        try check(data)
        return try atMostTwice { () throws(WorkerFault) in try answerOnce(request, data, within: limit, use) }
    }

    /// Runs `body`, and again if its worker ends by itself: somebody else may have ended it.
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

    private func answerOnce<Result>(
        _ request: DecoderRequest, _ data: Data, within limit: Duration?,
        _ use: (WorkerAnswer, SharedRegion) throws(WorkerFault) -> Result
    ) throws(WorkerFault) -> Result {
        let worker = try pool.take()
        do throws(WorkerFault) {
            let result = try ask(worker, request, data, within: limit, use)
            forget(data)
            pool.give(back: worker)
            return result
        } catch {
            fail(worker, error, data)
            throw error
        }
    }

    /// Has this worker answer. It ends after a damaged file, which may have damaged the worker, too.
    ///
    /// - Parameter data: The file, or `nil` if the request concerns the open animation.
    func ask<Result>(
        _ worker: WorkerProcess, _ request: DecoderRequest, _ data: Data?, within limit: Duration? = nil,
        _ use: (WorkerAnswer, SharedRegion) throws(WorkerFault) -> Result
    ) throws(WorkerFault) -> Result {
        let shortest = min(limit ?? deadline, request.decoder.deadline ?? deadline)
        return try worker.answer(request, data, within: shortest) { (answer, pixels) throws(WorkerFault) in
            if case .failure(let error) = answer, error.code == .damaged { worker.isSpent = true }
            return try use(answer, pixels)
        }
    }

    /// Ends a worker because of a fault, and remembers the file.
    func fail(_ worker: WorkerProcess, _ fault: WorkerFault, _ data: Data) {
        if fault.kind != .start { refused.count(data) }
        pool.discard(worker, because: fault)
    }

    /// Forgets the workers that the file ended: another one has decoded it.
    func forget(_ data: Data) { refused.forget(data) }

    /// Throws if the file has ended two workers.
    func check(_ data: Data) throws(CodecError) {
        guard refused.contains(data) else { return }
        pool.countRefusal()
        throw CodecError(.decoderFailed, "the file ended two decoders, and is refused for 10 minutes")
    }
}
