import CalotypeBase
import CalotypeCodecs
import CalotypeMemory
import Foundation

/// The previewer of one image while its bytes arrive, shared by all its watchers.
///
/// It makes one preview at a time. Each starts when a codec thread is free, from the bytes received by then, so that
/// previews never queue up. The work ends with the last watcher or with the last byte.
final class Previewer: Sendable {
    typealias Delivery = @Sendable (ImagePreview) -> Void

    let wanted: ImagePreviews
    private let resources: PreviewResources
    private let target: (any ImageLayout)?
    private let stopwatch: Stopwatch
    private let state: Locked<State>

    private struct State {
        var pace: PreviewPace
        var watchers: [(id: UInt64, job: Job, deliver: Delivery)] = []
        var lastID: UInt64 = 0
        var body: ArrivingBody?
        var session: Session?
        /// Whether no preview can be made of the body.
        var isBarren = false
        /// The number of bytes at which the header is parsed again.
        var headerBytes = 0
        var work: Task<Void, Never>?
        var isEnded = false
        /// The latest preview of each image, for later watchers.
        var latest: [CacheKey: ImagePreview] = [:]
    }

    /// A decoder's session for previews, which counts against the memory limit of all sessions.
    private final class Session: Sendable {
        let session: PreviewSession
        private let resources: PreviewResources

        init?(_ session: PreviewSession, _ resources: PreviewResources) {
            guard resources.reserve(session.heldBytes) else { return nil }
            self.session = session
            self.resources = resources
        }

        deinit { resources.release(session.heldBytes) }
    }

    init(_ wanted: ImagePreviews, of job: Job, with resources: PreviewResources) {
        self.wanted = wanted
        self.resources = resources
        target = job.layout
        stopwatch = Stopwatch(resources.options.clock)
        state = Locked(State(pace: PreviewPace(minimumBytes: wanted.minimumBytes)))
    }

    // MARK: Watchers

    /// Calls `deliver` with each preview of the job's image, starting with the latest one, until `remove(_:)`.
    func add(_ job: Job, _ deliver: @escaping Delivery) -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            state.watchers.append((state.lastID, job, deliver))
            if let latest = state.latest[job.image] { deliver(latest) }
            return state.lastID
        }
    }

    /// Removes a watcher. It receives no preview afterwards.
    func remove(_ id: UInt64) {
        let work = state.withLock { state in
            state.watchers.removeAll { $0.id == id }
            return state.watchers.isEmpty ? state.work : nil
        }
        work?.cancel()
    }

    /// Ends the previews, because all bytes have arrived.
    func end() {
        let work = state.withLock { state in
            state.isEnded = true
            state.session = nil
            return state.work
        }
        work?.cancel()
    }

    // MARK: Work

    /// Records that more bytes of the body have arrived, and starts making a preview if one is due.
    func offer(_ body: ArrivingBody) {
        state.withLock { state in
            if state.body !== body {
                state.body = body
                (state.session, state.isBarren, state.headerBytes) = (nil, false, 0)
            }
            // Taken once: to look again would count as another attempt at the same bytes.
            guard state.work == nil, let first = next(&state) else { return }
            state.work = Task.detached(priority: .utility) { [self] in await work(from: first) }
        }
    }

    private enum Next: Sendable {
        /// Starts the previews of a file whose header a worker process reads.
        case begin(ArrivingBody)
        case preview(Session, ArrivingBody)
        case wait(until: Duration)
    }

    /// Returns the next preview, to be made now or at a certain time, or `nil` if none can be made of the bytes so far.
    private func next(_ state: inout State) -> Next? {
        guard !state.isEnded, !state.watchers.isEmpty, let body = state.body,
            let time = state.pace.due(bytes: body.count, of: body.expected)
        else { return nil }
        if state.session == nil {
            guard let beginning = beginning(&state, body) else { return nil }
            if case .inWorker = beginning { return .begin(body) }
            begin(&state, beginning)
        }
        guard let session = state.session else { return nil }
        return time <= stopwatch.elapsed() ? .preview(session, body) : .wait(until: time)
    }

    /// Reads the header. Returns `nil` if it would most likely be as unfinished as before.
    private func beginning(_ state: inout State, _ body: ArrivingBody) -> PreviewBeginning? {
        let count = body.count
        guard !state.isBarren, count >= state.headerBytes else { return nil }
        // Do not parse an unfinished header again at every chunk.
        state.headerBytes = count + count / 8
        let options = resources.options
        return body.withBytes {
            options.decoders.previews(of: $0, target: target, limits: options.limits)
        }
    }

    private func begin(_ state: inout State, _ beginning: PreviewBeginning) {
        switch beginning {
        case .tooEarly: break
        case .none, .inWorker: state.isBarren = true
        case .session(let session):
            state.session = Session(session, resources)
            state.isBarren = state.session == nil
        }
    }

    private func work(from first: Next) async {
        // Previews wait for codec threads behind all work that a caller waits for.
        await DynamicPriority.$current.withValue(DynamicPriority(.low)) {
            var next: Next? = first
            while let step = next {
                switch step {
                case .begin(let body): await begin(body)
                case .preview(let session, let body): await make(session, body)
                // If the task is cancelled, the sleep and all later calls return at once.
                case .wait(let time): try? await stopwatch.sleep(time)
                }
                next = takeNext()
            }
        }
    }

    private func takeNext() -> Next? {
        state.withLock { state in
            let next = Task.isCancelled ? nil : next(&state)
            if next == nil { state.work = nil }
            return next
        }
    }

    /// Has a worker process read the header, on a codec thread that waits for it.
    private func begin(_ body: ArrivingBody) async {
        let (options, budget) = (resources.options, resources.budget)
        let beginning: PreviewBeginning
        do throws(CodecError) {
            beginning = try await resources.codecs.run(cost: 0) { [target] () throws(CodecError) in
                let data = body.snapshot(), reservation = budget.reserve(data.count)
                defer { withExtendedLifetime(reservation) {} }
                return data.withUnsafeBytes {
                    options.decoders.previews(of: $0, target: target, limits: options.limits, mayBlock: true)
                }
            }
        } catch {
            beginning = .tooEarly
        }
        state.withLock { state in
            // Another body may have taken the place of this one.
            if state.body === body, !state.isEnded { begin(&state, beginning) }
        }
    }

    private func make(_ session: Session, _ body: ArrivingBody) async {
        let made: Made?
        do throws(CodecError) {
            made = try await resources.codecs.run(cost: session.session.cost) { [self] () throws(CodecError) in
                try decode(session, body)
            }
        } catch {
            // The final decode reports the damage.
            made = nil
        }
        deliver(made, body)
    }

    private struct Made: Sendable {
        /// The number of bytes that the previews were made of.
        let bytes: Int
        let previews: [(image: CacheKey, job: Job, preview: ImagePreview)]
    }

    /// Decodes a preview on a codec thread. Returns `nil` if most of the body has arrived or no watcher is left.
    private func decode(_ session: Session, _ body: ArrivingBody) throws(CodecError) -> Made? {
        let jobs = state.withLock { state in
            let hasRoom = state.pace.hasRoom(bytes: body.count, of: body.expected)
            return state.isEnded || !hasRoom ? [] : state.watchers.map(\.job)
        }
        guard !jobs.isEmpty else { return nil }
        let data = body.snapshot()
        let reservation = resources.budget.reserve(data.count)
        defer { withExtendedLifetime(reservation) {} }
        guard let preview = try session.session.preview(of: data) else {
            return Made(bytes: data.count, previews: [])
        }
        var previews: [(image: CacheKey, job: Job, preview: ImagePreview)] = []
        for job in jobs where !previews.contains(where: { $0.image == job.image }) {
            // A failing step fails the final image, not its previews.
            guard let bitmap = try? preview.bitmap.applying(Array(job.steps)) else { continue }
            previews.append((job.image, job, ImagePreview(bitmap: bitmap, detail: preview.detail)))
        }
        return Made(bytes: data.count, previews: previews)
    }

    private func deliver(_ made: Made?, _ body: ArrivingBody) {
        state.withLock { state in
            state.pace.note(bytes: made?.bytes ?? body.count, hasPreview: made?.previews.isEmpty != true)
            guard let made, !state.isEnded else { return }
            // Drop a preview with less detail than the latest: a JPEG's first scan may be coarser than its thumbnail.
            let news = made.previews.filter { $0.preview.detail.width >= state.latest[$0.image]?.detail.width ?? 0 }
            guard !news.isEmpty else { return }
            state.pace.note(preview: stopwatch.elapsed())
            for (image, job, preview) in news {
                let watchers = state.watchers.filter { $0.job.image == image }
                if watchers.isEmpty { continue }
                state.latest[image] = preview
                resources.memory.keepPreview(preview, job, isPersonal: body.isPersonal)
                for watcher in watchers { watcher.deliver(preview) }
            }
        }
    }
}
