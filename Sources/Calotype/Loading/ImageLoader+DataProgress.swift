import CalotypeBase
public import Foundation

extension ImageLoader {
    /// Loads the undecoded bytes, and reports the progress of their download. Shares its download with requests for the image.
    ///
    /// - Parameter onProgress: Called on any thread, never twice at a time, and not after the return: return at once. Not
    ///   called for bytes that are in memory already. With alternative sources, the progress starts again for each.
    public func data(
        for request: ImageRequest, onProgress: @escaping @Sendable (LoadProgress) -> Void
    ) async throws(ImageError) -> Data {
        try await dataResponse(for: request, onProgress: onProgress).data
    }

    /// Loads the undecoded bytes with the response that delivered them, and reports the progress of their download.
    ///
    /// - Parameter onProgress: As in ``data(for:onProgress:)``.
    public func dataResponse(
        for request: ImageRequest, onProgress: @escaping @Sendable (LoadProgress) -> Void
    ) async throws(ImageError) -> DataResponse {
        let observer = ProgressObserver(onProgress)
        defer { observer.end() }
        return try await measure(request) { () throws(ImageError) in
            try revocations.checkIsValid()
            return try await attempts.withDeadline(of: complete(request)) {
                [attempts, pipeline] (request) throws(ImageError) in
                try await attempts.firstResult(request, decodes: false) { (request, keys) throws(ImageError) in
                    try await pipeline.data(for: request, keys) { observer.note($0.progress) }
                }
            }
        }
    }
}

/// A caller's closure for progress, which a flight may still call after the caller has its result.
private final class ProgressObserver: Sendable {
    private let onProgress: Locked<(@Sendable (LoadProgress) -> Void)?>

    init(_ onProgress: @escaping @Sendable (LoadProgress) -> Void) {
        self.onProgress = Locked(onProgress)
    }

    /// Calls the closure under the lock, so that ``end()`` waits for the call.
    func note(_ progress: LoadProgress) {
        onProgress.withLock { onProgress in
            if let onProgress { onProgress(progress) }
        }
    }

    func end() { onProgress.withLock { $0 = nil } }
}
