import CalotypeConcurrency
import CalotypeMemory

// An image that was shown within stale-while-revalidate (RFC 5861 §3) is confirmed or replaced for the next time.

extension ImageLoader {
    /// How many images are refreshed at the same time. What is beyond is left to the next who looks.
    private static let refreshLimit = 32

    /// Asks the origin, once for all who are shown the image meanwhile. What goes wrong changes nothing.
    func refresh(_ request: ImageRequest, _ keys: ImageKeys) {
        // With the removals of this moment: the image does not return after a later one.
        guard let job = try? job(request, keys).confirming else { return }
        let starts = refreshing.withLock { running in
            running.count < ImageLoader.refreshLimit && running.insert(job.image).inserted
        }
        guard starts else { return }
        Task.detached(priority: .utility) { [self] in
            // Another refresh may have ended between the look at memory and the start of this one.
            let known = memory.valueOnSecondLook(for: job.image)?.provenance
            if let known, !known.isFresh(at: options.wallClock.now), !isOutdated(job) {
                _ = try? await coalescedImage(job, DynamicPriority(.low), nil)
            }
            refreshing.withLock { _ = $0.remove(job.image) }
        }
    }
}
