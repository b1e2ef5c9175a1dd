import Calotype
import CalotypeBase
import CalotypeCodecs
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
    /// The widest gamut of a result.
    let gamut: ColorGamut
    let keepsGainMaps: Bool
    /// The operator's text.
    private let edition: ByteString

    init(_ options: MakingOptions) {
        limits = RenditionLimits(side: options.maxResultSide, pixels: options.maxResultPixels)
        (maxAnimationPixels, encoders, gamut) = (options.maxAnimationPixels, options.encoders, options.gamut)
        keepsGainMaps = options.keepsGainMaps
        edition = options.edition.isEmpty ? "" : " \(options.edition.escapedInPath)"
    }

    /// All of them, for the names of results in a far store.
    var text: ByteString {
        "\(limits.side) \(limits.pixels) \(maxAnimationPixels) \(encoders.text)\(maps)\(colors)\(edition)"
    }

    /// Empty for the defaults, so that they leave results valid that were made before there were the settings.
    private var maps: ByteString { keepsGainMaps ? "" : " flat" }
    private var colors: ByteString { gamut == .sRGB ? " srgb" : "" }

    /// Those that affect an answer with facts, for its entity tag.
    var textForFacts: ByteString { "facts\(edition)" }

    /// Those that affect a rendition, for its entity tag.
    func text(for encoding: RenditionEncoding) -> ByteString {
        let speed = encoders.text(for: encoding)
        let motion = encoding.keepsMotion ? "\(maxAnimationPixels)" : ""
        let maps = encoding.mayHaveGainMap ? maps : ""
        return "\(limits.side) \(limits.pixels)\(speed)\(maps)\(colors)\(edition)\n\(motion)"
    }

    /// Returns an entity tag: a hash of the source, the rendition, and all else that affects the bytes.
    ///
    /// - Parameters:
    ///   - digest: That of the source's bytes.
    ///   - route: The bitmap that the result was drawn from, unless it is the one that the result has alone.
    func entityTag(
        of rendition: Rendition, from digest: String, _ encoding: RenditionEncoding, by route: DecodeRoute?
    ) -> ByteString {
        // The key contains the version of the decoders, and the watermark.
        let own = rendition.options.info == nil ? text(for: encoding) : textForFacts
        let text: ByteString = "\(digest)\n\(own)\n\(rendition.key)"
        guard let route else { return "\"\(text.tagDigest)\"" }
        let drawn: ByteString = "\(text)\nfrom \(route.text)"
        return "\"\(drawn.tagDigest)-\(route.text)\""
    }
}

extension ByteString {
    fileprivate var tagDigest: Substring { withBytes { KeyDigest.hex(of: $0) }.prefix(32) }
}
