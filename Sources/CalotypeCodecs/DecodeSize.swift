/// The requested size of a decode, and the filter for the final resize.
public struct DecodeSize: Hashable, Sendable {
    /// The upright size of the result in pixels. Never larger than the image.
    public let result: PixelSize
    /// The filter that resizes the codec's output to the result.
    public let filter: ResizeFilter
    /// The smallest upright size from which `filter` produces a sharp result.
    ///
    /// Twice the result, because codecs downsample with simple filters, but no larger than the image. For
    /// `ResizeFilter.box`, the size of the result.
    public let least: PixelSize
    /// The widest gamut that the bitmap may have. A decoder returns it if the image's colors are beyond sRGB; otherwise, and by
    /// default, sRGB.
    public internal(set) var gamut = ColorGamut.sRGB

    /// - Parameter full: The image's upright size in pixels, to which the result is limited.
    public init(_ result: PixelSize, of full: PixelSize, filter: ResizeFilter = .automatic) {
        let factor = filter == .box ? 1 : 2
        self.result = PixelSize(width: min(result.width, full.width), height: min(result.height, full.height))
        self.filter = filter
        least = PixelSize(
            width: min(factor * self.result.width, full.width), height: min(factor * self.result.height, full.height))
    }

    /// Creates a size of parts that are known already, such as the one that another process computed.
    package init(result: PixelSize, least: PixelSize, filter: ResizeFilter, gamut: ColorGamut = .sRGB) {
        (self.result, self.least, self.filter, self.gamut) = (result, least, filter, gamut)
    }
}
