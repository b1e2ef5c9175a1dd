import CalotypeBase
import CalotypeHTTP
public import Foundation

/// The cost of one request, for a log or a monitor. See `ImageLoaderOptions.onMetrics`.
public struct ImageLoadMetrics: Sendable {
    /// The URL of the request without user and password, or `nil` for a source without a URL.
    public let url: URL?
    /// The layer that returned the result, or `nil` if the request failed.
    public let origin: ImageResponse.Origin?
    /// The time from the call to the result.
    public let duration: Duration
    /// The size of the encoded image that was decoded, in bytes: of the original, or of a stored processed image. 0 for
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

/// The measured cost of making an image. An object, so that each image in memory stores only a pointer.
final class LoadWork: Sendable {
    let bytes: Int
    let loading: Duration
    let processing: Duration

    /// Returns `nil` if metrics are off and the times therefore `nil`. The times count from the start of the request.
    init?(bytes: Int, loading: Duration?, until end: Duration?) {
        guard let loading, let end else { return nil }
        self.bytes = bytes
        self.loading = loading
        processing = end - loading
    }

    /// Returns the work with the time of a further step added to ``processing``.
    func adding(from start: Duration?, until end: Duration?) -> LoadWork? {
        guard let start, let end else { return self }
        return LoadWork(bytes: bytes, loading: loading, until: loading + processing + end - start)
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

/// The files of one image in several sizes.
struct EncodedImages: MeasuredResult, Sendable {
    let files: [Data]
    let origin: ImageResponse.Origin
    let work: LoadWork?

    var byteCount: Int { work?.bytes ?? 0 }
}

extension ImageLoader {
    func measure<Result: MeasuredResult>(
        _ request: ImageRequest, _ load: () async throws(ImageError) -> Result
    ) async throws(ImageError) -> Result {
        guard options.onMetrics != nil else { return try await load() }
        let stopwatch = Stopwatch(options.clock)
        do throws(ImageError) {
            let result = try await load()
            note(request, result, from: result.origin, after: stopwatch.elapsed())
            return result
        } catch {
            note(request, from: nil, after: stopwatch.elapsed(), error)
            throw error
        }
    }

    package func noteMemoryHit(_ request: ImageRequest) { note(request, from: .memory, after: .zero) }

    private func note(
        _ request: ImageRequest, _ result: (any MeasuredResult)? = nil, from origin: ImageResponse.Origin?,
        after duration: Duration, _ error: ImageError? = nil
    ) {
        options.onMetrics?(
            ImageLoadMetrics(
                url: request.source.url?.withoutUserInfo, origin: origin, duration: duration,
                bytes: result?.byteCount ?? 0, loading: result is DataResponse ? duration : result?.work?.loading,
                processing: result?.work?.processing, error: error))
    }
}
