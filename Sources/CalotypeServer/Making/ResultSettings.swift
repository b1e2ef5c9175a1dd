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
        let maps = encoding.mayBe(.jpeg) || encoding.options.format == nil ? maps : ""
        return "\(limits.side) \(limits.pixels)\(speed)\(maps)\(colors)\(edition)\n\(motion)"
    }
}
