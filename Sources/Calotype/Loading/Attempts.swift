import CalotypeBase
import CalotypeHTTP
import Foundation

/// The attempts that a loader makes for each request: the request's own source, then its alternatives, until the
/// deadline. A remembered failure is thrown again without a new attempt.
final class Attempts: Sendable {
    private let defaults: RequestDefaults
    private let wallClock: WallClock
    private let clock: any Clock<Duration>
    private let failures = Locked(FailureMemory<ByteString, ImageError, Double>(limit: 1_024))

    init(_ options: ImageLoaderOptions, _ defaults: RequestDefaults) {
        self.defaults = defaults
        wallClock = options.wallClock
        clock = options.clock
    }

    func forget(_ source: ByteString) { failures.withLock { $0.forget(source) } }
    func forgetAll() { failures.withLock { $0.forgetAll() } }

    /// Returns the result of `load` for a request that already has the loader's defaults. At the deadline, throws
    /// `timedOut` and cancels the load unless others wait for it.
    func withDeadline<Result: Sendable>(
        of request: ImageRequest, _ load: @escaping @Sendable (ImageRequest) async throws(ImageError) -> Result
    ) async throws(ImageError) -> Result {
        guard let deadline = request.deadline else { return try await load(request) }
        let timedOut = ImageError(
            .timedOut, "the request did not finish within its deadline of \(deadline.text)", url: request.source.url)
        return try await withTimeout(deadline, clock: clock, timedOut: timedOut, cancelled: .cancelled) {
            () async throws(ImageError) in try await load(request)
        }
    }

    /// Returns the result from the request's own source, or else from the first alternative that succeeds.
    ///
    /// - Parameters:
    ///   - decodes: Whether `load` decodes the bytes. If `false`, remembered decoding failures are ignored and kept.
    ///   - onFailure: Called with each error before another source is tried.
    func firstResult<Result>(
        _ request: ImageRequest, decodes: Bool = true, onFailure: (ImageError) -> Void = { _ in },
        _ load: (ImageRequest, ImageKeys) async throws(ImageError) -> Result
    ) async throws(ImageError) -> Result {
        var failures: [ImageError] = []
        var source: ImageSource? = request.source
        var others: ArraySlice<ImageSource> = []
        while let current = source {
            let own = failures.isEmpty ? request : defaults.complete(request.from(current))
            do throws(ImageError) {
                return try await loadUnlessKnownToFail(own, decodes, load)
            } catch {
                guard failures.isEmpty || error.allowsAlternatives else { throw error }
                if failures.isEmpty { others = request.others(after: error)[...] }
                failures.append(error)
                source = others.popFirst()
                if source != nil { onFailure(error) }
            }
        }
        var error = failures.removeFirst()
        error.alternativeErrors = failures
        throw error
    }

    private func loadUnlessKnownToFail<Result>(
        _ request: ImageRequest, _ decodes: Bool,
        _ load: (ImageRequest, ImageKeys) async throws(ImageError) -> Result
    ) async throws(ImageError) -> Result {
        let keys = defaults.keys(of: request)
        guard let memory = request.failureMemory else { return try await load(request, keys) }
        let source = keys.source
        let now = wallClock.now
        if !request.rules.loadsAgain, let failure = failures.withLock({ $0.failure(for: source, at: now) }),
            decodes || !failure.isOfDecoding
        {
            throw failure
        }
        do throws(ImageError) {
            let result = try await load(request, keys)
            if decodes { forget(source) }
            return result
        } catch {
            if error.isPermanent, error.allowsAlternatives {
                let end = wallClock.now + memory / .seconds(1)
                failures.withLock { $0.remember(error, for: source, until: end) }
            }
            throw error
        }
    }
}

extension ImageRequest {
    fileprivate func others(after error: ImageError) -> [ImageSource] {
        guard error.allowsAlternatives else { return [] }
        guard error.code == .networkConstrained, let lowDataSource else { return alternatives }
        return [lowDataSource] + alternatives
    }
}

extension ImageError {
    /// Whether the failure concerns this source alone.
    fileprivate var allowsAlternatives: Bool {
        ![.cancelled, .invalidated, .overloaded, .stepFailed, .encodingFailed].contains(code)
    }
}
