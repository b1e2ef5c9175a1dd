import CalotypeMemory
import ResourceProvider

// A picture that was shown within stale-while-revalidate (RFC 5861 §3) is confirmed or replaced for the next time.

extension ImageLoader {
    /// How many pictures are refreshed at the same time. What is beyond is left to the next who looks.
    private static let refreshLimit = 32

    /// Once for all who are shown the picture meanwhile. What goes wrong changes nothing.
    func refresh(_ request: ImageRequest, _ key: CacheKey) {
        let starts = refreshing.withLock { running in
            running.count < ImageLoader.refreshLimit && running.insert(key).inserted
        }
        guard starts else { return }
        Task.detached(priority: .utility) { [self] in
            await DynamicPriority.$current.withValue(DynamicPriority(.low)) { await refreshed(request) }
            refreshing.withLock { _ = $0.remove(key) }
        }
    }

    private func refreshed(_ request: ImageRequest) async {
        guard let job = try? job(request, keys(of: request)) else { return }
        let key = job.originalFlight(confirming: true)
        guard let original = try? await bytes(of: job, key, priority: DynamicPriority.current) else { return }
        if let print = expired(job), let response = ImageResponse(print, confirmedBy: original) {
            remember(response, job)
        } else {
            // Another picture: made in the usual way, of the bytes that are stored and fresh by now.
            memory.remove(for: job.image)
            _ = try? await response(for: request, onProgress: nil)
        }
    }
}
