import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import Foundation
import ResourceProvider

// How a request travels, to be read downward. Each stage asks the next one; what it gets comes back up through it.
//
//     memory → one piece of work per picture → steps → decode → one piece of work per source → disk store → transport

extension ImageLoader {
    /// Memory, and if it is not there, the stages below. A hit never suspends.
    func response(
        for request: ImageRequest, onProgress: (@Sendable (LoadProgress) -> Void)?
    ) async throws(ImageError) -> ImageResponse {
        try checkIsValid()
        let keys = keys(of: request)
        if let print = inMemory(request, keys) { return ImageResponse(print, .memory) }
        let job = try job(request, keys)
        return try await finished(job, priority(of: request), onProgress)
    }

    /// The one that may change, where the caller's task has such, or what the request says.
    func priority(of request: ImageRequest) -> DynamicPriority? {
        DynamicPriority.current ?? (request.priority == .normal ? nil : DynamicPriority(request.priority))
    }

    /// One piece of work per finished picture, shared by all who wait for it.
    private func finished(
        _ job: Job, _ priority: DynamicPriority?, _ onProgress: (@Sendable (LoadProgress) -> Void)?
    ) async throws(ImageError) -> ImageResponse {
        let response = try await images.value(for: job.imageFlight, priority: priority, onUpdate: onProgress) {
            [self] flight in
            // Once more: the picture may have been stored between the caller's look and the start of this flight.
            if let print = inMemory(job) {
                return .success(ImageResponse(print, .memory, isRemembered: true))
            }
            do throws(ImageError) {
                var response = try await made(job, flight)
                // Before the flight leaves the table, so that nobody starts another for a picture that is there.
                if job.isFinal { response.isRemembered = remember(response, job) }
                return .success(response)
            } catch {
                return .failure(error)
            }
        }
        // The flight may have been started by someone who needed the picture only on the way to another.
        if job.isFinal, !response.isRemembered { remember(response, job) }
        return response
    }

    /// The picture in memory, if it may be shown again after all, or a new one.
    private func made(_ job: Job, _ flight: ImageFlights.Flight) async throws(ImageError) -> ImageResponse {
        guard let print = expired(job) else { return try await printed(job, flight) }
        // Its time has run out. Where its bytes are still the ones, nothing is decoded or processed again.
        let original = try await bytes(of: job, ignoringDisk: false, within: flight)
        if let confirmed = ImageResponse(print, confirmedBy: original) { return confirmed }
        return try await job.steps.isEmpty ? decoded(job, flight, original) : printed(job, flight)
    }

    /// A print kept on disk, or the last step on the picture before it. Steps that requests share run once.
    private func printed(_ job: Job, _ flight: ImageFlights.Flight) async throws(ImageError) -> ImageResponse {
        if let kept = await keptPrint(job) { return kept }
        guard let step = job.steps.last else {
            return try await decoded(job, flight, try await bytes(of: job, ignoringDisk: false, within: flight))
        }
        let before = try await finished(job.beforeLastStep, flight.task.priority) { flight.report($0) }
        let bitmap = try await onCodecThread(job, cost: 2 * before.bitmap.byteCount) { () throws(CodecError) in
            do throws(CodecError) {
                return try step.apply(to: before.bitmap)
            } catch {
                // Also where the step speaks of cancellation: nobody cancels a step alone.
                throw error.failing(step: step.key)
            }
        }
        await keepPrint(bitmap, job, before.provenance)
        return ImageResponse(bitmap: bitmap, origin: before.origin, provenance: before.provenance)
    }

    /// Bytes to pixels, at the size wanted. Stored bytes that are no picture are removed, and loaded anew.
    private func decoded(
        _ job: Job, _ flight: ImageFlights.Flight, _ original: Original
    ) async throws(ImageError) -> ImageResponse {
        do throws(ImageError) {
            return try await decode(original, job)
        } catch {
            guard error.code == .notAnImage || error.code == .damagedImage else { throw error }
            await removeOriginal(job)
            guard original.wasStored, job.request.policy.mayLoad else { throw error }
            report("stored bytes were no picture and have been removed: \(error)", error)
        }
        let again = try await bytes(of: job, ignoringDisk: true, within: flight)
        do throws(ImageError) {
            return try await decode(again, job)
        } catch {
            if error.code == .notAnImage || error.code == .damagedImage { await removeOriginal(job) }
            throw error
        }
    }

    private func decode(_ original: Original, _ job: Job) async throws(ImageError) -> ImageResponse {
        // A caller that left while the bytes came wants no pixels.
        if Task.isCancelled { throw .cancelled }
        let plan: DecodePlan
        do throws(CodecError) {
            plan = try options.decoders.plan(for: original.data, target: job.request.size, limits: options.limits)
        } catch {
            throw ImageError(error, url: job.request.source.url)
        }
        let bitmap = try await onCodecThread(job, cost: plan.cost) { () throws(CodecError) in try plan.decode() }
        if !job.isOriginal { await keepPrint(bitmap, job, original.provenance) }
        return ImageResponse(bitmap: bitmap, origin: original.origin, provenance: original.provenance)
    }

    /// One piece of work per source, shared by every size and step. The first picture in need of it does it, in the
    /// task of its own flight.
    private func bytes(
        of job: Job, ignoringDisk: Bool, within flight: ImageFlights.Flight
    ) async throws(ImageError) -> Original {
        let key = job.originalFlight(ignoringDisk: ignoringDisk)
        return try await original(job, key) { [self] (consent) async throws(ImageError) in
            try await originals.value(for: key, within: flight) { [self] in await read(job, key, consent, $0) }
        }
    }

    /// The same for whoever wants nothing but the bytes.
    func bytes(
        of job: Job, _ key: OriginalFlightKey, priority: DynamicPriority?
    ) async throws(ImageError) -> Original {
        try await original(job, key) { [self] (consent) async throws(ImageError) in
            try await originals.value(for: key, priority: priority) { [self] in await read(job, key, consent, $0) }
        }
    }

    /// What is at hand, else the network. What the loader refuses is not kept either.
    private func read(
        _ job: Job, _ key: OriginalFlightKey, _ consent: StorageConsent?, _ flight: OriginalFlights.Flight
    ) async -> Result<Original, ImageError> {
        do throws(ImageError) {
            if key.readsDisk, !key.isConfirming, !job.request.policy.asksOrigin, let original = try await atHand(job) {
                return .success(original)
            }
            guard job.request.policy.mayLoad || job.request.source.isLocal else {
                throw ImageError(
                    .notInCache, "not in the cache, and the network was not to be asked", url: job.request.source.url)
            }
            return .success(try await loaded(job, key, consent) { flight.report($0) })
        } catch {
            if error.code == .bodyTooLarge || error.code == .dataIsEmpty {
                consent?.refuse()
                await removeOriginal(job)
            }
            return .failure(error)
        }
    }

    /// The bytes from where they are, whole, of a good status and not empty.
    private func loaded(
        _ job: Job, _ key: OriginalFlightKey, _ consent: StorageConsent?,
        onProgress: @escaping @Sendable (LoadProgress) -> Void
    ) async throws(ImageError) -> Original {
        let permit = try await admission.admit()
        let answer: Answer
        switch job.request.source.kind {
        case .http(let request):
            let wired = wired(request, job, key, consent)
            answer = try await exchanged(wired, resumptions: options.resumptions, onProgress)
        case .bytes(let data, _):
            answer = Answer(data: data, head: StoredHead(url: "", status: 200, fields: [:]), origin: .source)
        case .custom(_, let fetch): answer = try await fetched(fetch)
        case .nowhere: throw ImageError(.invalidURL, "the request has no URL")
        }
        guard !answer.data.isEmpty else {
            throw ImageError(.dataIsEmpty, "the answer has no body", url: job.request.source.url)
        }
        permit.settle(bytes: answer.data.count)
        return Original(answer, permit)
    }

    private func onCodecThread<Result: Sendable>(
        _ job: Job, cost: Int, _ body: @escaping @Sendable () throws(CodecError) -> Result
    ) async throws(ImageError) -> Result {
        do throws(CodecError) {
            return try await codecs.run(cost: cost, body)
        } catch {
            throw ImageError(error, url: job.request.source.url)
        }
    }
}
