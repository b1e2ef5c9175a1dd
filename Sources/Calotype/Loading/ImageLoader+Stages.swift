import CalotypeCodecs
import CalotypeConcurrency
import CalotypeHTTP
import CalotypeStore
import Foundation

// How a request travels, to be read downward. Each stage asks the next one; what it gets comes back up through it.
//
//   memory → coalesced image → coalesced original → stored processed image → body → decode → steps
//                                └ retry ▸ body limit ▸ redirects ▸ content decoding ▸ HTTP cache ▸ place ▸ exchange
//
// A request that waits for a place, for room to read a stored body or for a flight of others holds no bytes. One that
// holds bytes waits for the rest of its own body or for a codec thread, and for nothing else.

extension ImageLoader {
    /// The image of the request's source, or of the first of its alternatives that has one.
    ///
    /// - Parameter begun: How often all loads had been cancelled when the caller asked, for one that asked before its task
    ///   runs.
    func response(
        for request: ImageRequest, observer: (@Sendable (ImageEvent) -> Void)?, begun: Int? = nil
    ) async throws(ImageError) -> ImageResponse {
        let begun = begun ?? cancellations.load()
        guard options.onMetrics != nil else { return try await unmeasuredResponse(for: request, observer, begun) }
        return try await measure(request) { () throws(ImageError) in
            try await unmeasuredResponse(for: request, observer, begun)
        }
    }

    private func unmeasuredResponse(
        for request: ImageRequest, _ observer: (@Sendable (ImageEvent) -> Void)?, _ begun: Int
    ) async throws(ImageError) -> ImageResponse {
        try checkIsValid()
        let request = complete(request)
        guard request.hasFallbacks else { return try await loadImage(request, observer, begun) }
        // What the deadline is kept with is a task of its own, and a hit never suspends.
        if request.deadline != nil, let image = imageInMemory(request, keys(of: request), countsMiss: false) {
            return image
        }
        return try await withDeadline(of: request) { [self] (request) async throws(ImageError) in
            try await firstResult(request, onFailure: { observer?(ImageEvent(failure: $0)) }) {
                (request) throws(ImageError) in try await loadImage(request, observer, begun)
            }
        }
    }

    /// Memory, and if it is not there, the stages below. A hit never suspends.
    private func loadImage(
        _ request: ImageRequest, _ observer: (@Sendable (ImageEvent) -> Void)?, _ begun: Int
    ) async throws(ImageError) -> ImageResponse {
        let keys = keys(of: request)
        if let image = imageInMemory(request, keys) { return image }
        let job = try job(request, keys, begun: begun)
        guard let observer else { return try await coalescedImage(job, priority(of: request), nil) }
        let previews = watchPreviews(of: job) { observer(ImageEvent(preview: $0)) }
        // Before the image is returned: no preview comes after it.
        defer { previews?.end() }
        return try await coalescedImage(job, priority(of: request)) { update in
            if let body = update.body { previews?.offer(body) }
            observer(ImageEvent(progress: update.progress))
        }
    }

    /// The one that may change, where the caller's task has such, or what the request says.
    func priority(of request: ImageRequest) -> DynamicPriority? {
        DynamicPriority.current ?? (request.priority == .normal ? nil : DynamicPriority(request.priority))
    }

    /// One flight per finished image, shared by all who wait for it.
    func coalescedImage(
        _ job: Job, _ priority: DynamicPriority?, _ onUpdate: (@Sendable (LoadUpdate) -> Void)?
    ) async throws(ImageError) -> ImageResponse {
        let response = try await images.value(for: job.imageFlight, priority: priority, onUpdate: onUpdate) {
            [self] flight in
            await runImageFlight(job, flight, Handover(measuredBy: options.onMetrics == nil ? nil : options.clock))
        }
        // The flight may have been started by a request that needed the image only on the way to another.
        if job.isFinal, !response.isRemembered { remember(response, job) }
        return response
    }

    private func runImageFlight(
        _ job: Job, _ flight: ImageFlights.Flight, _ handover: Handover
    ) async -> Result<ImageResponse, ImageError> {
        if wasCancelled(job) { return .failure(.cancelled) }
        // Once more: the image may have been stored between the caller's look and the start of this flight.
        if let image = imageInMemory(job) { return .success(image) }
        do throws(ImageError) {
            var response = try await makeImage(job, flight, handover)
            response.work = handover.work ?? response.work
            // Before the flight leaves the table, so that no other one starts for an image that is there. What all waiters have
            // left is not stored.
            if job.isFinal, !Task.isCancelled { response.isRemembered = remember(response, job) }
            return .success(response)
        } catch {
            return .failure(error)
        }
    }

    /// Returns the image from memory or the disk if the original may be used; otherwise makes it from the image before
    /// the last step.
    private func makeImage(
        _ job: Job, _ flight: ImageFlights.Flight, _ handover: Handover
    ) async throws(ImageError) -> ImageResponse {
        if handover.original == nil, needsOriginalFirst(job) {
            handover.put(try await coalescedOriginal(job, job.originalFlight(), .flight(flight)))
        }
        if let confirmed = confirmedImage(job, handover) { return confirmed }
        if let processed = await readProcessedImage(job, handover) { return processed }
        guard let step = job.steps.last else { return try await decodeOriginal(job, flight, handover) }
        let before = try await imageBeforeLastStep(job, flight, handover)
        let bitmap = try await onCodecThread(job, cost: 2 * before.bitmap.byteCount) { () throws(CodecError) in
            do throws(CodecError) {
                return try step.apply(to: before.bitmap)
            } catch {
                // Also where the step speaks of cancellation: nobody cancels a step alone.
                throw error.failing(step: step.key)
            }
        }
        let response = before.with(bitmap)
        await storeProcessedImage(response, job)
        return response
    }

    /// Steps that requests share run once: another flight, in this one's task if it is not under way already.
    private func imageBeforeLastStep(
        _ job: Job, _ flight: ImageFlights.Flight, _ handover: Handover
    ) async throws(ImageError) -> ImageResponse {
        let before = job.beforeLastStep
        return try await images.value(for: before.imageFlight, within: flight, onJoin: { handover.drop() }) {
            [self] inner in await runImageFlight(before, inner, handover)
        }
    }

    /// Bytes to pixels, at the size asked. Stored bytes that are gone by now, or are no image, are loaded again, once.
    private func decodeOriginal(
        _ job: Job, _ flight: ImageFlights.Flight, _ handover: Handover
    ) async throws(ImageError) -> ImageResponse {
        var key = job.originalFlight()
        var mayLoadAgain = job.request.rules.mayLoad || job.request.source.isLocal
        while true {
            switch await attemptDecoding(job, key, flight, handover) {
            case .made(let response):
                if !job.isOriginal { await storeProcessedImage(response, job) }
                return response
            case .begun: continue
            case .lost where mayLoadAgain:
                key = job.originalFlight(ignoringDisk: true)
                mayLoadAgain = false
            case .lost(let error), .failed(let error): throw error
            }
        }
    }

    private enum Attempt {
        case made(ImageResponse)
        /// The stored bytes were of no use; others may be.
        case lost(ImageError)
        /// Another request has read the body of this original. The store gives another original.
        case begun
        case failed(ImageError)
    }

    /// A separate function, so that the bytes it holds are released before others are loaded.
    private func attemptDecoding(
        _ job: Job, _ key: OriginalFlightKey, _ flight: ImageFlights.Flight, _ handover: Handover
    ) async -> Attempt {
        var wasStored = false
        do throws(ImageError) {
            let original: Original
            if let handed = handover.take() {
                original = handed
            } else {
                original = try await coalescedOriginal(job, key, .flight(flight))
            }
            wasStored = original.wasStored
            let bytes = try await bytes(of: original, job, .flight(flight))
            handover.noteBytes(bytes.data.count)
            let bitmap = try await decode(bytes, job)
            var response = ImageResponse(bitmap, of: original)
            // For those who ask for the other frames: there is no store to read them from.
            if bitmap.isFirstFrame, original.identity?.text == nil { response.motion = .file(bytes.data) }
            return .made(response)
        } catch {
            if error.isLostBody { return .lost(error) }
            if error.isBegunBody { return .begun }
            guard error.code == .notAnImage || error.code == .damagedImage else { return .failed(error) }
            await removeOriginal(job)
            guard wasStored else { return .failed(error) }
            report("stored bytes were no image and have been removed: \(error)", error)
            return .lost(error)
        }
    }

    private func decode(_ bytes: Original.Bytes, _ job: Job) async throws(ImageError) -> Bitmap {
        let begun = previews.end(job.imageFlight, bytes.arrival)
        // A caller that left while the bytes came has no use for pixels.
        if Task.isCancelled { throw .cancelled }
        let plan: DecodePlan
        do throws(CodecError) {
            plan = try options.decoders.plan(for: bytes.data, target: job.request.size, limits: options.limits)
        } catch {
            throw ImageError(error, url: job.request.source.url)
        }
        return try await onCodecThread(job, cost: plan.cost) { [data = bytes.data] () throws(CodecError) in
            if let whole = try begun?.finish(data) { return whole }
            return try plan.decode()
        }
    }

    func onCodecThread<Result: Sendable>(
        _ job: Job, cost: Int, _ body: @escaping @Sendable () throws(CodecError) -> Result
    ) async throws(ImageError) -> Result {
        do throws(CodecError) {
            return try await codecs.run(cost: cost, body)
        } catch {
            throw ImageError(error, url: job.request.source.url)
        }
    }
}

extension ImageLoader {
    /// Who needs an original: an image's flight, whose task then does the work, or a caller outside any flight.
    enum Asker {
        case flight(ImageFlights.Flight)
        case caller(DynamicPriority?)
    }

    /// One flight per source, shared by every size and step, until its head is there; where the body is not stored,
    /// until that is whole, since not every answer can be had again.
    func coalescedOriginal(
        _ job: Job, _ key: OriginalFlightKey, _ asker: Asker
    ) async throws(ImageError) -> Original {
        let isWithdrawn: @Sendable () -> Bool = { [self] in isOutdated(job) }
        let consent = diskStore == nil ? nil : consents.join(key, giving: storageExtent(job), until: isWithdrawn)
        defer { if consent != nil { consents.leave(key) } }
        let work: OriginalFlights.Work = { [self] flight in await loadOriginal(job, key, consent, flight) }
        switch asker {
        case .flight(let flight): return try await originals.value(for: key, within: flight, work: work)
        case .caller(let priority): return try await originals.value(for: key, priority: priority, work: work)
        }
    }

    /// The bytes of an original. A stored body is read here, once for all who need it at the time, when there is room.
    func bytes(of original: Original, _ job: Job, _ asker: Asker) async throws(ImageError) -> Original.Bytes {
        if let bytes = original.bytes { return bytes }
        let key: BodyFlightKey =
            original.identity?.text.map { .identity($0) } ?? .original(ObjectIdentifier(original))
        let work: BodyFlights.Work = { [self] flight in await readStored(original, job, flight) }
        switch asker {
        case .flight(let flight): return try await bodies.value(for: key, within: flight, work: work)
        case .caller(let priority): return try await bodies.value(for: key, priority: priority, work: work)
        }
    }

    /// Loads the original from the caches or the source. One that the loader refuses is removed from the store.
    private func loadOriginal(
        _ job: Job, _ key: OriginalFlightKey, _ consent: StorageConsent?, _ flight: OriginalFlights.Flight
    ) async -> Result<Original, ImageError> {
        if wasCancelled(job) { return .failure(.cancelled) }
        do throws(ImageError) {
            let original = try await download(job, key, consent) { flight.report($0) }
            origins.withLock { $0[original.origin, default: 0] += 1 }
            return .success(original)
        } catch {
            if error.code == .bodyTooLarge || error.code == .dataIsEmpty {
                consent?.refuse()
                await removeOriginal(job)
            }
            return .failure(error)
        }
    }
}
