import CalotypeBase
import CalotypeURLs

/// The settings of a server on which the bytes of results depend, besides their keys.
///
/// A new one belongs into both texts: without the first, servers that share a far store get each other's results; without
/// the second, a result stays as it is after a restart with another value.
struct ResultSettings: Sendable {
    let limits: RenditionLimits
    /// The maximum number of pixels in all frames of an animation together.
    let maxAnimationPixels: Int
    let encoders: EncoderOptions
    /// The operator's text.
    private let edition: ByteString

    init(_ options: MakingOptions) {
        limits = RenditionLimits(side: options.maxResultSide, pixels: options.maxResultPixels)
        (maxAnimationPixels, encoders) = (options.maxAnimationPixels, options.encoders)
        edition = options.edition.isEmpty ? "" : " \(options.edition.escapedInPath)"
    }

    /// All of them, for the names of results in a far store.
    var text: ByteString { "\(limits.side) \(limits.pixels) \(maxAnimationPixels) \(encoders.text)\(edition)" }

    /// Those that affect an answer with facts, for its entity tag.
    var textForFacts: ByteString { "facts\(edition)" }

    /// Those that affect a rendition, for its entity tag.
    func text(for encoding: RenditionEncoding) -> ByteString {
        let speed = encoders.text(for: encoding)
        let motion = encoding.keepsMotion ? "\(maxAnimationPixels)" : ""
        return "\(limits.side) \(limits.pixels)\(speed)\(edition)\n\(motion)"
    }
}
