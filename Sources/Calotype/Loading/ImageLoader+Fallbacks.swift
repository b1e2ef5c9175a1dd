import CalotypeConcurrency
import CalotypeHTTP
import Foundation
import ResourceProvider

// Other sources where the request's own fails, and failures that are repeated without asking again. Above the stages: each
// source is a separate request.

extension ImageLoader {
    /// The result for the request's own source, or else for the first of its other sources that has one.
    ///
    /// - Parameters:
    ///   - decodes: Whether bytes that are no image are a failure.
    ///   - onFailure: Called with each error after which another source is tried.
    ///   - load: Loads a request that is complete.
    func firstResult<Result>(
        _ request: ImageRequest, decodes: Bool = true, onFailure: (ImageError) -> Void = { _ in },
        _ load: (ImageRequest) async throws(ImageError) -> Result
    ) async throws(ImageError) -> Result {
        let first: ImageError
        do throws(ImageError) {
            return try await loadUnlessKnownToFail(request, decodes, load)
        } catch {
            first = error
        }
        var failures = [first]
        for source in request.others(after: first) {
            onFailure(failures[failures.count - 1])
            do throws(ImageError) {
                return try await loadUnlessKnownToFail(complete(request.from(source)), decodes, load)
            } catch {
                guard error.allowsAlternatives else { throw error }
                failures.append(error)
            }
        }
        var error = first
        error.alternativeErrors = Array(failures.dropFirst())
        throw error
    }

    /// A failure that is remembered, in place of another try; otherwise the result.
    private func loadUnlessKnownToFail<Result>(
        _ request: ImageRequest, _ decodes: Bool, _ load: (ImageRequest) async throws(ImageError) -> Result
    ) async throws(ImageError) -> Result {
        guard let memory = request.failureMemory else { return try await load(request) }
        let source = keys(of: request).source
        let now = options.wallClock.now
        if !request.rules.loadsAgain, let failure = failures.withLock({ $0.failure(for: source, at: now) }),
            decodes || !failure.isOfDecoding
        {
            throw failure
        }
        do throws(ImageError) {
            let result = try await load(request)
            if decodes { failures.withLock { $0.forget(source) } }
            return result
        } catch {
            if error.isLasting {
                let end = options.wallClock.now + memory.seconds
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
