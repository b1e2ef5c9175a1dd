public import CalotypeCodecs
import CalotypeBase
public import Foundation

/// One of several results of an image: its size and steps, and the format of its file.
///
/// See ``ImageLoader/data(for:variants:)``.
public struct ImageVariant: Sendable {
    /// The size of the result, in pixels. If `nil` (the default), the image's full size, within the loader's limits.
    public var size: ResizeTarget?
    /// The changes applied to the pixels after resizing, in order. Empty by default.
    public var steps: [any ImageStep]
    /// The format of the file.
    public var format: EncodingFormat

    /// Creates a variant.
    public init(size: ResizeTarget? = nil, steps: [any ImageStep] = [], encodedAs format: EncodingFormat) {
        self.size = size
        self.steps = steps
        self.format = format
    }
}

extension ImageLoader {
    /// Loads an image and encodes it in several sizes, for example as thumbnails of an upload, from one decode.
    ///
    /// Decodes once, for the largest size, and scales each result from that bitmap. Every result is as sharp as one that
    /// is decoded by itself. The loader reserves the memory for all still results before it decodes, as for
    /// ``data(for:encodedAs:)``, and makes one result after the other.
    ///
    /// An animation stays one as in ``data(for:encodedAs:)``; its frames are decoded for each such variant, which waits until
    /// their memory is free.
    ///
    /// The request's own `size` and `steps` have no effect. The call shares its download with other requests for the
    /// image, and the disk may store the original. The memory cache is neither read nor filled.
    ///
    /// ```swift
    /// let upload = ImageRequest(source: .data(upload), caching: [])
    /// let files = try await loader.data(
    ///     for: upload,
    ///     variants: [1600, 800, 400].map {
    ///         ImageVariant(size: ResizeTarget(width: $0), encodedAs: .webp(quality: 80))
    ///     })
    /// ```
    ///
    /// - Returns: The files, in the order of `variants`. Without variants, nothing is loaded.
    /// - Throws: The errors of ``data(for:encodedAs:)``. If a variant fails, the whole call does.
    public func data(
        for request: ImageRequest, variants: [ImageVariant]
    ) async throws(ImageError) -> [Data] {
        guard !variants.isEmpty else { return [] }
        return try await encodedImages(for: request, variants).files
    }

    /// Encodes an image that is decoded from the original: images in memory and processed images have no credits.
    func uncachedData(for request: ImageRequest, encodedAs format: EncodingFormat) async throws(ImageError) -> Data {
        let variant = ImageVariant(size: request.size, steps: request.steps, encodedAs: format)
        // One variant makes one file.
        return try await encodedImages(for: request, [variant]).files[0]
    }

    private func encodedImages(
        for request: ImageRequest, _ variants: [ImageVariant]
    ) async throws(ImageError) -> EncodedImages {
        var request = request
        (request.size, request.steps) = (nil, [])
        let cancellations = revocations.cancellations
        return try await measure(request) { () throws(ImageError) in
            try revocations.checkIsValid()
            return try await attempts.withDeadline(of: complete(request)) {
                [attempts, pipeline] (request) throws(ImageError) in
                try await attempts.firstResult(request) { (request, keys) throws(ImageError) in
                    let job = try pipeline.job(request, keys, cancellations: cancellations)
                    return try await pipeline.encodedImages(variants, job)
                }
            }
        }
    }
}
