public import CalotypeCodecs
import CalotypeBase
import Foundation

extension ImageLoader {
    /// Reads the properties of an image from its file, such as format, size and orientation, without decoding pixels.
    ///
    /// Waits in the same queues as an image does, and reads on the loader's codec threads or, if
    /// `ImageLoaderOptions.isolation` includes the format, in a decoder process. Shares its download with other requests
    /// for the image. The size and the steps of the request have no effect.
    ///
    /// An image beyond `ImageLoaderOptions.limits` has a header, too. The frames of an animation are counted unless there
    /// are more than `DecodeLimits.maxFrames`: `frameCount` is `nil` then, and `isAnimated` is `true`.
    ///
    /// ```swift
    /// let header = try await loader.header(for: ImageRequest(source: .data(upload), caching: []))
    /// guard [.jpeg, .png].contains(header.format), header.uprightSize.width >= 600 else { return refuse(header) }
    /// ```
    ///
    /// - Throws: `notAnImage` if the bytes have no known format, `unsupportedImage` if this build does not read their
    ///   format, `damagedImage` if the header is damaged, `overloaded` if too many requests wait, and the errors of
    ///   loading the bytes.
    public func header(for request: ImageRequest) async throws(ImageError) -> ImageHeader {
        try await measure(request) { () throws(ImageError) in
            try revocations.checkIsValid()
            return try await attempts.withDeadline(of: complete(request)) {
                [attempts, pipeline] (request) throws(ImageError) in
                try await attempts.firstResult(request, decodes: false, pipeline.header)
            }
        }.header
    }
}

extension Pipeline {
    fileprivate func header(for request: ImageRequest, _ keys: ImageKeys) async throws(ImageError) -> LoadedHeader {
        let job = try job(request, keys)
        return try await originals.withBytes(job, Claim(), within: nil) {
            [decoding] (original, bytes) throws(ImageError) in
            LoadedHeader(
                header: try await decoding.header(of: bytes, job.url), origin: original.origin,
                byteCount: bytes.data.count)
        }
    }
}

private struct LoadedHeader: MeasuredResult {
    let header: ImageHeader
    let origin: ImageResponse.Origin
    let byteCount: Int
    var work: LoadWork? { nil }
}
