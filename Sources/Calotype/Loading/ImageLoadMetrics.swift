import CalotypeBase
public import Foundation

/// The cost of one request, for a log or a monitor. See `ImageLoaderOptions.onMetrics`.
public struct ImageLoadMetrics: Sendable {
    /// The URL of the request, or `nil` for a source without a URL.
    public let url: URL?
    /// The layer that returned the result, or `nil` if the request failed.
    public let origin: ImageResponse.Origin?
    /// The time from the call to the result.
    public let duration: Duration
    /// The number of encoded bytes that the image was made of: of the original, or of a stored processed image. 0 for
    /// an image in memory and for a failure.
    public let bytes: Int
    /// The time from the call until the encoded bytes were in memory, including queues; `nil` if there were no bytes.
    ///
    /// Requests that share a load all report its whole duration, even those that joined it late.
    public let loading: Duration?
    /// The time for decoding and steps, including the queue for a codec thread, or `nil` if neither was needed. Only
    /// ``duration`` includes the time for encoding.
    public let processing: Duration?
    /// The error that the request ended with, or `nil` if it succeeded.
    public let error: ImageError?
}

/// The measured work of making an image. An object, so that each image in memory needs only one word for it.
final class LoadWork: Sendable {
    let bytes: Int
    let loading: Duration
    let processing: Duration

    private init(bytes: Int, loading: Duration, processing: Duration) {
        self.bytes = bytes
        self.loading = loading
        self.processing = processing
    }

    /// Fails if nothing is measured. `loading` and `end` count from the request.
    convenience init?(bytes: Int, loading: Duration?, until end: Duration?) {
        guard let loading, let end else { return nil }
        self.init(bytes: bytes, loading: loading, processing: end - loading)
    }

    /// Returns the work with the time of a further step added to ``processing``.
    func adding(from start: Duration?, until end: Duration?) -> LoadWork {
        guard let start, let end else { return self }
        return LoadWork(bytes: bytes, loading: loading, processing: processing + end - start)
    }
}

protocol MeasuredResult {
    var origin: ImageResponse.Origin { get }
    var byteCount: Int { get }
    var work: LoadWork? { get }
}

extension ImageResponse: MeasuredResult {
    var byteCount: Int { work?.bytes ?? 0 }
}

extension DataResponse: MeasuredResult {
    var byteCount: Int { data.count }
    var work: LoadWork? { nil }
}

struct EncodedImage: MeasuredResult {
    let data: Data
    let response: ImageResponse

    var origin: ImageResponse.Origin { response.origin }
    var byteCount: Int { response.byteCount }
    var work: LoadWork? { response.work }
}

extension ImageLoader {
    func measure<Result: MeasuredResult>(
        _ request: ImageRequest, _ load: () async throws(ImageError) -> Result
    ) async throws(ImageError) -> Result {
        guard let onMetrics = options.onMetrics else { return try await load() }
        let stopwatch = Stopwatch(options.clock)
        let url = request.source.url
        do throws(ImageError) {
            let result = try await load()
            let duration = stopwatch.elapsed()
            onMetrics(
                ImageLoadMetrics(
                    url: url, origin: result.origin, duration: duration, bytes: result.byteCount,
                    loading: result is DataResponse ? duration : result.work?.loading,
                    processing: result.work?.processing, error: nil))
            return result
        } catch {
            onMetrics(
                ImageLoadMetrics(
                    url: url, origin: nil, duration: stopwatch.elapsed(), bytes: 0, loading: nil, processing: nil,
                    error: error))
            throw error
        }
    }

    package func noteMemoryHit(_ request: ImageRequest) {
        guard let onMetrics = options.onMetrics else { return }
        onMetrics(
            ImageLoadMetrics(
                url: request.source.url, origin: .memory, duration: .zero, bytes: 0, loading: nil, processing: nil,
                error: nil))
    }
}
