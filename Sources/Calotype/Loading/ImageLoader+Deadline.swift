import ResourceProvider

extension ImageLoader {
    /// The result of `load`, or `timedOut` at the request's deadline. The load is cancelled then, and goes on only for others
    /// who wait for it.
    ///
    /// - Parameter request: One that is complete.
    func withDeadline<Result: Sendable>(
        of request: ImageRequest, _ load: @escaping @Sendable (ImageRequest) async throws(ImageError) -> Result
    ) async throws(ImageError) -> Result {
        guard let deadline = request.deadline else { return try await load(request) }
        let timedOut = ImageError(
            .timedOut, "the request was not over within \(deadline), its deadline", url: request.source.url)
        return try await withTimeout(deadline, clock: options.clock, timedOut: timedOut, cancelled: .cancelled) {
            () async throws(ImageError) in try await load(request)
        }
    }
}
