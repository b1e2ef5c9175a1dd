import CalotypeBase
import CalotypeCodecs
import CalotypeMemory
import Foundation

/// The path of a request through a loader, in order. Each stage calls only the stages below it, and returns its result.
///
///     memory → coalesced image → given image → original → stored processed image → body → decode → steps → remember
///
/// The decode reserves the memory of all work on its image, the steps and the encoding included (``LaterWork``). Each
/// response carries the reservation that pays for its bitmap, until the bitmap is encoded or handed out. A request that
/// holds a reservation waits only for a codec thread, or for the store to write.
///
/// An image with steps is made from the image before its last step, which takes the same path in a flight within the
/// same task. Other requests may join that flight. The innermost flight decodes.
///
/// The original consists of its head and either the encoded bytes, if they came over the network, or a body to read
/// them from, if they are stored. A flight owns the original by a ``Claim``, which moves to the innermost flight, or
/// ends before a wait. So a request holds no encoded bytes while it waits for a slot, for memory for a stored body or
/// for another flight, and a request that holds bytes waits only for the rest of its body or for a codec thread.
final class Pipeline: Sendable {
    let memory: MemoryStage
    let originals: Originals
    /// The stage for processed images, or `nil` if the loader does not store them.
    let processed: ProcessedImages?
    /// The stage for images that the program has stored itself, or `nil` if the loader stores no processed images.
    let given: GivenImages?
    let decoding: DecodeStage
    let previews: Previews
    private let sources: OriginalSources
    let revocations: Revocations
    /// The encodings that need several jobs. Each has another number as its key, so that requests share none of them.
    let encodings = Coordinator<Int, LoadUpdate, EncodedImages, ImageError>(cancelled: .cancelled, startsInPlace: true)
    private let images = ImageFlights(cancelled: .cancelled, startsInPlace: true)
    /// The refreshes in flight. At the limit, no further refresh starts; a later request for the image tries again.
    private let refreshes = BackgroundFlights<CacheKey, ByteString>(limit: 32)
    /// The clock for measurements; `nil` if nothing is measured.
    private let clock: (any Clock<Duration>)?
    private let coalesces: Bool
    let lastFlight = AtomicInteger(0)

    init(
        _ options: ImageLoaderOptions, memory: MemoryStage, originals: Originals, processed: ProcessedImages?,
        given: GivenImages?, decoding: DecodeStage, previews: Previews, sources: OriginalSources,
        revocations: Revocations
    ) {
        self.memory = memory
        self.originals = originals
        self.processed = processed
        self.given = given
        self.decoding = decoding
        self.previews = previews
        self.sources = sources
        self.revocations = revocations
        clock = options.onMetrics == nil ? nil : options.clock
        coalesces = options.coalesces
    }

    // MARK: Memory

    /// Returns the image from memory or from the stages below. A hit in memory never suspends.
    ///
    /// - Parameters:
    ///   - cancellations: The number of calls of `cancelAll()` when the caller asked.
    ///   - encoding: The memory of encoding the image, for a caller that encodes it at once. The response then keeps its
    ///     reservation; if `nil` (the default), the reservation ends here.
    func image(
        for request: ImageRequest, _ keys: ImageKeys, cancellations: Int, _ observer: (@Sendable (ImageEvent) -> Void)?,
        encoding: EncodingMemory? = nil
    ) async throws(ImageError) -> ImageResponse {
        if let image = imageInMemory(for: request, keys) { return image }
        let job = try job(request, keys, cancellations: cancellations, encoding: encoding)
        let response = try await observedImage(job, observer)
        return encoding == nil ? response.handedOut : response
    }

    private func observedImage(
        _ job: Job, _ observer: (@Sendable (ImageEvent) -> Void)?
    ) async throws(ImageError) -> ImageResponse {
        guard let observer else { return try await coalescedImage(job, nil) }
        let watch = previews.watch(job) { observer(ImageEvent(preview: $0)) }
        // End the previews before the image is returned, so that no preview follows it.
        defer { watch?.end() }
        return try await coalescedImage(job) { update in
            if let body = update.body { watch?.offer(body) }
            observer(ImageEvent(progress: update.progress))
        }
    }

    /// Returns the image if it is in memory. If it is stale but within its stale-while-revalidate period, refreshes it
    /// in the background.
    ///
    /// - Parameter trustsFiles: Whether to return the image of a local file without a look at the file. The default is
    ///   `false`: a load looks at it.
    func imageInMemory(
        for request: ImageRequest, _ keys: ImageKeys, countsMiss: Bool = true, trustsFiles: Bool = false
    ) -> ImageResponse? {
        guard let found = memory.image(for: request, keys, countsMiss: countsMiss, trustsFiles: trustsFiles) else {
            return nil
        }
        if found.isStale { refresh(request, keys) }
        return found.image
    }

    // MARK: Coalesced image

    /// Returns the finished image. All requests for it share one flight.
    func coalescedImage(
        _ job: Job, of original: ImageOriginal? = nil, _ onUpdate: (@Sendable (LoadUpdate) -> Void)?
    ) async throws(ImageError) -> ImageResponse {
        let response = try await images.value(
            for: job.imageFlight, priority: job.request.livePriority, onUpdate: onUpdate,
            // A request that waits for another request's flight holds no bytes.
            onJoin: { original?.release() }
        ) { [self] flight in await runFlight(job, flight, Claim(original?.take())) }
        // The flight may belong to a request that needed the image only as an intermediate result.
        if job.isFinal, !response.isRemembered { memory.remember(response, job) }
        return response
    }

    /// - Parameter claim: The original, if the flight that needs this image has requested it already; otherwise empty.
    private func runFlight(
        _ job: Job, _ flight: ImageFlights.Flight, _ claim: consuming Claim
    ) async -> Result<ImageResponse, ImageError> {
        if revocations.isCancelled(since: job.mark) { return .failure(.cancelled) }
        // Look again: another flight may have remembered the image since the caller's lookup.
        if let image = memory.image(for: job) { return .success(image) }
        do throws(ImageError) {
            var response = try await makeImage(job, flight, claim)
            await given?.makeWay(for: response, job)
            // Remember the image before the flight leaves the table, so that no second flight starts for it. Memory
            // does not keep an image that every waiter has abandoned.
            if job.isFinal, !Task.isCancelled {
                memory.remember(response, job)
                response.isRemembered = true
            }
            return .success(response)
        } catch {
            return .failure(error)
        }
    }

    private func makeImage(
        _ job: Job, _ flight: ImageFlights.Flight, _ claim: consuming Claim
    ) async throws(ImageError) -> ImageResponse {
        // Given image
        if let given, let image = await given.image(job) {
            claim.end()
            return image
        }
        // Original
        if claim.original == nil, needsOriginalFirst(job) { claim = try await originals.claim(job, within: flight) }
        if let confirmed = confirmedImage(job, claim) { return confirmed }
        // Stored processed image
        if let processed, let found = await processed.find(job, of: claim) {
            claim.end()
            if let image = await processed.read(found, job) { return image }
        }
        // Body, decode
        guard let step = job.steps.last else {
            let response = try await decodedOriginal(job, flight, claim)
            if !job.isOriginal { await processed?.store(response, job) }
            return response
        }
        // Steps
        let before = try await imageBeforeLastStep(job, flight, claim)
        let begun = job.elapsed
        let (bitmap, paid) = try await decoding.bitmap(applying: step, to: before, job)
        let response = before.with(bitmap, work: before.work?.adding(from: begun, until: job.elapsed), paid)
        await processed?.store(response, job)
        return response
    }

    // MARK: Original

    /// Returns whether the image needs the original, though perhaps not its bytes: only the HTTP cache knows whether an
    /// expired image in memory, or a processed image on disk, may still be used.
    private func needsOriginalFirst(_ job: Job) -> Bool {
        if memory.expiredImage(job) != nil { return true }
        guard let processed, processed.mayHave(job) else { return false }
        // An intermediate image in memory or in flight makes the lookup unnecessary.
        guard !job.steps.isEmpty else { return true }
        let before = job.beforeLastStep
        return !images.isInFlight(before.imageFlight) && memory.image(for: before) == nil
    }

    /// Returns the image in memory if it was made of the original's bytes, which then need not be decoded again.
    private func confirmedImage(_ job: Job, _ claim: borrowing Claim) -> ImageResponse? {
        guard let original = claim.original else { return nil }
        return memory.expiredImage(job)?.confirmed(by: original)
    }

    // MARK: Body, decode

    private func decodedOriginal(
        _ job: Job, _ flight: ImageFlights.Flight, _ claim: consuming Claim
    ) async throws(ImageError) -> ImageResponse {
        try await originals.withBytes(job, claim, within: flight) { [decoding] (original, bytes) throws(ImageError) in
            let loaded = job.elapsed
            let (bitmap, paid) = try await decoding.bitmap(of: bytes, job)
            var response = ImageResponse(bitmap, of: original, paid)
            response.work = LoadWork(bytes: bytes.data.count, loading: loaded, until: job.elapsed)
            // Keep the encoded bytes of an animation that is not in the store: callers may ask for its other frames.
            if bitmap.isFirstFrame, job.keepsMotion || original.identity?.text == nil {
                response.motion = .file(bytes.data)
            }
            return response
        }
    }

    // MARK: Steps

    /// Returns the image before the last step. All requests that need it share one flight, which runs within the task
    /// of `flight` if it is not under way yet.
    private func imageBeforeLastStep(
        _ job: Job, _ flight: ImageFlights.Flight, _ claim: consuming Claim
    ) async throws(ImageError) -> ImageResponse {
        let before = job.beforeLastStep
        guard let inner = images.start(before.imageFlight, within: flight) else {
            claim.end()
            return try await images.value(for: before.imageFlight, within: flight) { [self] inner in
                await runFlight(before, inner, Claim())
            }
        }
        let result = await runFlight(before, inner, claim)
        images.finish(before.imageFlight, inner, result)
        return try result.get()
    }

    /// Revalidates a stale image, once for all requests that received it (RFC 5861 §3). Ignores a failure.
    private func refresh(_ request: ImageRequest, _ keys: ImageKeys) {
        // The new job has the current removal counts, so that a removal during the refresh is not undone.
        guard let job = try? job(request, keys).confirming else { return }
        refreshes.start(job.image, group: job.url?.host.map { ByteString($0) }) { [self] in
            // Another refresh may have ended between the memory lookup and the start of this refresh.
            guard memory.lacksFreshImage(job), !revocations.isRemoved(job.sourceKey, since: job.mark) else { return }
            _ = try? await coalescedImage(job, nil)
        }
    }

    /// - Parameters:
    ///   - cancellations: The number of calls of `cancelAll()` when the caller asked. By default, all so far.
    ///   - loads: `false` for a removal, which may name a scheme that the loader does not load.
    ///   - mark: The counts of revocations from which the job starts; `nil` for the current ones.
    func job(
        _ request: ImageRequest, _ keys: ImageKeys, cancellations: Int? = nil, loads: Bool = true,
        encoding: EncodingMemory? = nil, mark: Revocations.Mark? = nil
    ) throws(ImageError) -> Job {
        let mark = mark ?? revocations.mark(keys.source, cancellations: cancellations)
        return Job(
            request, keys, try sources.source(of: request, key: keys.source, loads: loads), mark,
            encoding: encoding, stopwatch: clock.map { Stopwatch($0) },
            unique: coalesces ? mark.generation : UInt64(truncatingIfNeeded: lastFlight.add(1)))
    }

    func endAll(with error: ImageError) {
        images.endAll(with: error)
        encodings.endAll(with: error)
        originals.endAll(with: error)
    }

    var flightCount: Int { images.count + encodings.count }
    var waiterCount: Int { images.waiterCount + encodings.waiterCount }
}
