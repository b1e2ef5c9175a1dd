import CalotypeBase
import CalotypeCodecs
import Foundation

/// The encoding of one image, with all frames of an animation if the format has frames.
extension Pipeline {
    /// Returns the image to encode. If it is the first frame of an animation that the format keeps, the response has the
    /// other frames or their file.
    ///
    /// - Parameter cancellations: The number of calls of `cancelAll()` when the caller asked.
    func image(
        for request: ImageRequest, _ keys: ImageKeys, encodedAs format: EncodingFormat, cancellations: Int
    ) async throws(ImageError) -> ImageResponse {
        var response = try await image(
            for: request, keys, cancellations: cancellations, nil,
            encoding: EncodingMemory { format.peakBytes(of: $0, hasAlpha: $1) })
        guard format.motion != nil, response.bitmap.isFirstFrame, response.motion == nil else { return response }
        // End the reservation first: a request that holds one may not wait for bytes.
        response = response.handedOut
        var request = request
        // The image has just been loaded again, and so have these bytes.
        if request.rules.loadsAgain { request.policy = .useProtocol }
        response.motion = .file(try await data(for: request, keys).data)
        return response
    }

    func encoded(
        _ response: ImageResponse, of request: ImageRequest, as format: EncodingFormat
    ) async throws(ImageError) -> EncodedImage {
        let (bitmap, url) = (response.bitmap, request.source.url)
        if let file = try await encodedAnimation(response, of: request, as: format) {
            return EncodedImage(data: file, response: response.handedOut)
        }
        let cost = format.peakBytes(of: bitmap.size, hasAlpha: bitmap.hasAlpha)
        let data = try await decoding.work(on: response, cost: cost, url) { () throws(CodecError) in
            try bitmap.encoded(as: format)
        }
        return EncodedImage(data: data, response: response.handedOut)
    }

    /// Returns the file of an animation, or `nil` for an image or a format without frames. As it may take long, it is a
    /// flight, which ends with its caller and by `cancelAll()`.
    private func encodedAnimation(
        _ response: ImageResponse, of request: ImageRequest, as format: EncodingFormat
    ) async throws(ImageError) -> Data? {
        guard let encoder = format.motion, response.bitmap.isFirstFrame else { return nil }
        let images = try await encodings.value(for: lastFlight.add(1), priority: request.livePriority) {
            [decoding] _ in
            do throws(ImageError) {
                let url = request.source.url
                var files: [Data] = []
                if let animation = try await decoding.animation(of: response, request.size, request.steps, url) {
                    files.append(
                        try await decoding.file(of: animation, by: encoder, credits: nil, within: response, url))
                }
                return .success(EncodedImages(files: files, origin: response.origin, work: nil))
            } catch {
                return .failure(error)
            }
        }
        return images.files.first
    }
}
