import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeURLs

/// A decoded image: the result itself, or the bitmap from which it is drawn.
struct SharedImage: Sendable {
    let image: ImageResponse
    /// The header of the original if the result is drawn from the image; `nil` if the image is the result.
    var header: ImageHeader?
    var route: DecodeRoute?

    /// Draws the result if the image is not the result itself, and encodes it.
    func file(
        of result: SharedResult, _ source: FoundSource, maxAnimation: Int, under terms: DecodeTerms
    ) async throws(ImageError) -> MadeRendition.File {
        let limit = result.encoding.options.byteLimit ?? 0
        let facts = image.bitmap.sourceFormat.map {
            SourceFacts(format: ByteString($0.rawValue), bytes: source.byteCount)
        }
        let animation = RenditionAnimation(
            encoding: result.encoding, layout: result.layout.ofFrames, maxPixels: maxAnimation, terms: terms)
        if let moving = try await animation.file(from: image, source.loader) {
            return MadeRendition.File(
                data: moving, mediaType: ByteString(ImageFormat.webp.mediaType), source: facts, limit: limit)
        }
        let file =
            if let header {
                try await result.file(from: image, of: header, source.loader)
            } else {
                try await result.encoding.file(of: image, source.loader)
            }
        return MadeRendition.File(
            data: file.data, mediaType: ByteString(file.format.imageFormat.mediaType), source: facts, limit: limit,
            route: route)
    }
}
