import CalotypeBase
package import CalotypeCodecs
package import CalotypeURLs

/// The facts that are computed from the pixels: of one small copy of the image for all of them.
package struct ColorFacts: Hashable, Sendable {
    let palette: [ImageColor]
    let average: ImageColor?
    let dominant: [DominantColors.Kind: ImageColor]?
    let blurHash: String?
    /// The bytes of the hash in hexadecimal.
    let thumbHash: String?

    /// The size of the copy: the largest of those that the hashes sample, and more than the colors need.
    package static let layout = ResizeTarget(width: 128, height: 128)

    /// The peak memory of the work on the copy besides its bitmap, in bytes: the table of counted colors, twice, and smaller copies.
    static let memory = 6 << 20

    /// - Parameter bitmap: The copy.
    package init(of bitmap: Bitmap, _ options: InfoOptions) throws(CodecError) {
        let swatches = options.palette > 0 ? ColorPalette(bitmap, limit: options.palette).swatches : []
        palette = swatches.map(\.color)
        average = options.average.map { bitmap.averageColor(ignoringTransparent: $0.ignoresTransparent) }
        dominant = options.dominantColors.map { DominantColors(bitmap, buildsMissing: $0.buildsMissing).colors }
        if let size = options.blurHash {
            blurHash = try BlurHash(bitmap, across: size.across, down: size.down).description
        } else {
            blurHash = nil
        }
        thumbHash = options.thumbHash ? try ThumbHash(bitmap).data.map { $0.hexadecimal }.joined() : nil
    }
}

extension UInt8 {
    /// Two digits in upper case.
    fileprivate var hexadecimal: String { (self < 16 ? "0" : "") + String(self, radix: 16, uppercase: true) }
}
