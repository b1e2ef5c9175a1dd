import CalotypeBase
import CalotypeCodecs
import Foundation

/// Several encoded sizes of one image.
///
///     original → body → decode → for each size: scale, steps, encode
///
/// All of it runs in one flight, which ends with its caller. The bytes are released after the decode, except those of an
/// animation: each variant in a format with frames decodes the frames again.
extension Pipeline {
    func encodedImages(
        _ variants: [ImageVariant], of original: ImageOriginal
    ) async throws(ImageError) -> EncodedImages {
        try await encodedImages(variants, original.job.making(of: bytes(of: original), nil, []), of: original)
    }

    /// - Parameter original: The original, if it has been loaded already.
    func encodedImages(
        _ variants: [ImageVariant], _ job: Job, of original: ImageOriginal? = nil
    ) async throws(ImageError) -> EncodedImages {
        try await encodings.value(for: lastFlight.add(1), priority: job.request.livePriority) { [self] _ in
            do throws(ImageError) {
                return .success(try await encode(variants, job, of: original))
            } catch {
                return .failure(error)
            }
        }
    }

    private func encode(
        _ variants: [ImageVariant], _ job: Job, of original: ImageOriginal?
    ) async throws(ImageError) -> EncodedImages {
        if revocations.isCancelled(since: job.mark) { throw .cancelled }
        let source = try await originals.withBytes(job, Claim(original?.take()), within: nil) {
            [decoding] (original, bytes) throws(ImageError) in
            try await decoding.source(of: variants, original, bytes, job)
        }
        var files: [Data] = []
        for (variant, layout) in zip(variants, source.layouts) {
            files.append(try await decoding.file(of: variant, layout, from: source.image, job.url))
        }
        return EncodedImages(files: files, origin: source.image.origin, work: source.image.work)
    }
}
