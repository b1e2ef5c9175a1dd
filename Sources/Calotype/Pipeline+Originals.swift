import CalotypeBase
import CalotypeCodecs
import Foundation

/// Loads of originals, of the images of one original, and of bytes without an image.
extension Pipeline {
    func original(for request: ImageRequest, _ keys: ImageKeys) async throws(ImageError) -> ImageOriginal {
        let job = try job(request, keys)
        var claim = try await originals.claim(job, within: nil)
        guard let original = claim.take() else { throw .cancelled }
        return ImageOriginal(original, job)
    }

    func image(
        of original: ImageOriginal, _ layout: (any ImageLayout)?, _ steps: [any ImageStep], _ encoding: EncodingMemory?,
        terms: DecodeTerms?, onStart: (@Sendable () -> Void)?
    ) async throws(ImageError) -> ImageResponse {
        let job = original.job.making(
            of: bytes(of: original), layout, steps, encoding, terms: terms, onStart: onStart)
        if let image = memory.image(for: job) {
            original.release()
            return image
        }
        return try await coalescedImage(job, of: original, nil)
    }

    /// Returns the identity of the original's bytes, or a unique text if the bytes are not stored.
    func bytes(of original: ImageOriginal) -> ByteString {
        original.identity ?? "unstored \(lastFlight.add(1))"
    }

    func data(of original: ImageOriginal) async throws(ImageError) -> DataResponse {
        try await data(original.job.making(of: bytes(of: original), nil, []), Claim(original.take()))
    }

    // MARK: Bytes without an image

    /// Returns the encoded bytes, without a lookup in memory. Joins a running load of the same original.
    func data(for request: ImageRequest, _ keys: ImageKeys) async throws(ImageError) -> DataResponse {
        try await data(try job(request, keys), Claim())
    }

    /// - Parameter onUpdate: Called with each update, perhaps also after the return.
    func data(
        for request: ImageRequest, _ keys: ImageKeys, onUpdate: @escaping @Sendable (LoadUpdate) -> Void
    ) async throws(ImageError) -> DataResponse {
        try await data(try job(request, keys), Claim(), onUpdate)
    }

    private func data(
        _ job: Job, _ claim: consuming Claim, _ onUpdate: (@Sendable (LoadUpdate) -> Void)? = nil
    ) async throws(ImageError) -> DataResponse {
        try await originals.withBytes(job, claim, within: nil, onUpdate: onUpdate) {
            (original, bytes) throws(ImageError) in DataResponse(original, bytes)
        }
    }
}
