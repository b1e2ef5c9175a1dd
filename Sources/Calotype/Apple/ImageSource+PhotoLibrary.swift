#if canImport(Photos)
    import CalotypeBase
    import Foundation
    import Photos

    extension ImageSource {
        /// A photo in the user's photo library, as edited; downloaded from iCloud if it is not on the device.
        ///
        /// If the library cannot return the photo, the load fails with `sourceFailed` and a ``PhotoKitServiceError``.
        /// The application needs the user's consent to read the library. Identifiers are valid on this device only.
        ///
        /// - Parameter localIdentifier: The `localIdentifier` of a `PHAsset`.
        public static func photoAsset(_ localIdentifier: String) -> ImageSource {
            custom(id: "photo asset \(localIdentifier)") { try await PhotoDataRequest().data(of: localIdentifier) }
        }
    }

    /// A request to the photo library, which ends exactly once: with the data, an error or a cancellation.
    private final class PhotoDataRequest: Sendable {
        private struct State {
            var id: PHImageRequestID?
            var continuation: CheckedContinuation<Data, any Error>?
            var isCancelled = false
        }

        private let state = Locked(State())

        func data(of localIdentifier: String) async throws -> Data {
            let found = PHAsset.fetchAssets(withLocalIdentifiers: [localIdentifier], options: nil)
            guard let asset = found.firstObject else {
                throw PhotoKitServiceError.phAssetNotFound(localIdentifier: localIdentifier)
            }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { start(asset, $0) }
            } onCancel: {
                cancel()
            }
        }

        private func start(_ asset: PHAsset, _ continuation: CheckedContinuation<Data, any Error>) {
            let isCancelled = state.withLock { state in
                state.continuation = continuation
                return state.isCancelled
            }
            if isCancelled { return end(.failure(CancellationError())) }
            let options = PHImageRequestOptions()
            options.isNetworkAccessAllowed = true
            options.deliveryMode = .highQualityFormat
            options.version = .current
            let id = PHImageManager.default().requestImageDataAndOrientation(for: asset, options: options) {
                [self] data, _, _, _ in
                end(data.map { .success($0) } ?? .failure(PhotoKitServiceError.missingData))
            }
            let isLate = state.withLock { state in
                state.id = id
                return state.isCancelled
            }
            if isLate { PHImageManager.default().cancelImageRequest(id) }
        }

        /// Cancels the request. May be called before the request has begun.
        private func cancel() {
            let id = state.withLock { state in
                state.isCancelled = true
                return state.id
            }
            if let id { PHImageManager.default().cancelImageRequest(id) }
            end(.failure(CancellationError()))
        }

        private func end(_ result: Result<Data, any Error>) {
            state.withLock { $0.continuation.take() }?.resume(with: result)
        }
    }
#endif
