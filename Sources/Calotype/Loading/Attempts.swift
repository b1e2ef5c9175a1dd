import CalotypeBase
import CalotypeHTTP
import Foundation
import ResourceProvider

/// A request's attempts, above the pipeline: its own source and the other ones, until its deadline, and failures that are
/// returned again without asking.
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
        return try await withTimeout(deadline, clock: clock, timedOut: timedOut, cancelled: .cancelled) {
            () async throws(ImageError) in try await load(request)
        }
    }

    /// The result for the request's own source, or else for the first of its other sources that has one.
    ///
    /// - Parameters:
    ///   - decodes: Whether bytes that are no image are a failure.
    ///   - onFailure: Called with each error after which another source is tried.
    ///   - load: Loads a request that is complete.
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

    /// A failure that is remembered, in place of another try; otherwise the result.
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
            if error.isLasting {
                let end = wallClock.now + memory.seconds
                failures.withLock { $0.remember(error, for: source, until: end) }
            }
            throw error
        }
    }
}

extension ImageRequest {
    /// The sources to try after its own has failed.
    fileprivate func others(after error: ImageError) -> [ImageSource] {
        guard error.allowsAlternatives else { return [] }
        guard error.code == .networkConstrained, let lowDataSource else { return alternatives }
        return [lowDataSource] + alternatives
    }
}

extension ImageError {
    /// A Boolean value indicating whether another source may have what this one had not.
    fileprivate var allowsAlternatives: Bool {
        ![.cancelled, .invalidated, .overloaded, .stepFailed, .encodingFailed].contains(code)
    }

    /// A Boolean value indicating whether asking again soon is unlikely to help, because the server has answered.
    fileprivate var isLasting: Bool {
        switch code {
        case .badStatus: (400..<500).contains(status ?? 0) && ![408, 425, 429].contains(status)
        case .dataIsEmpty, .bodyTooLarge: true
        default: isOfDecoding
        }
    }

    fileprivate var isOfDecoding: Bool {
        [.notAnImage, .damagedImage, .unsupportedImage, .imageTooLarge].contains(code)
    }
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }
}
