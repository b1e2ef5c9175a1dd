import CalotypeConcurrency
import CalotypeMemory

// An image that was shown within stale-while-revalidate (RFC 5861 §3) is confirmed or replaced for the next time.

extension ImageLoader {
    /// How many images are refreshed at the same time. What is beyond is left to the next who looks.
    private static let refreshLimit = 32

    /// Once for all who are shown the image meanwhile. What goes wrong changes nothing.
    func refresh(_ request: ImageRequest, _ key: CacheKey) {
        let starts = refreshing.withLock { running in
            running.count < ImageLoader.refreshLimit && running.insert(key).inserted
        }
        guard starts else { return }
        Task.detached(priority: .utility) { [self] in
            await DynamicPriority.$current.withValue(DynamicPriority(.low)) { await revalidate(request) }
            refreshing.withLock { _ = $0.remove(key) }
        }
    }

    private func revalidate(_ request: ImageRequest) async {
        guard let job = try? job(request, keys(of: request)) else { return }
        // Another refresh may have ended between the look at memory and the start of this one.
        let known = memory.valueOnSecondLook(for: job.image)?.provenance
        guard known?.isFresh(at: options.wallClock.now) != true, let response = await confirm(job) else { return }
        if let response { return _ = remember(response, job) }
        // Another image: made in the usual way, of the bytes that are stored and fresh by now. The old one is shown until
        // the new one takes its place.
        var replacing = request
        replacing.caching.remove(.readMemory)
        _ = try? await unmeasuredResponse(for: replacing)
    }

    /// Asks the origin whether the image is still valid.
    ///
    /// - Returns: `nil` if the origin cannot be asked, and `.some(nil)` if it has other bytes.
    private func confirm(_ job: Job) async -> ImageResponse?? {
        let key = job.originalFlight(confirming: true)
        let handover = Handover()
        guard let original = try? await coalescedOriginal(job, key, .caller(DynamicPriority.current)) else {
            return nil
        }
        handover.put(original)
        return .some(confirmedImage(job, handover))
    }
}
