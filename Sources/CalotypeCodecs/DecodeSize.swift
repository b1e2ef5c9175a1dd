/// The size that an image is decoded for, and the filter that brings it there.
public struct DecodeSize: Hashable, Sendable {
    /// The upright size of the result, in pixels. Never larger than the image.
    public let result: PixelSize
    /// The filter between what the codec decodes and the result.
    public let filter: ResizeFilter
    /// The smallest upright size from which `filter` makes a sharp result.
    ///
    /// Twice the result, since codecs shrink by simple means, but no larger than the image. For `ResizeFilter.box` the
    /// result itself.
    public let least: PixelSize

    /// - Parameter full: the image's own upright size, in pixels.
    public init(_ result: PixelSize, of full: PixelSize, filter: ResizeFilter = .automatic) {
        let factor = filter == .box ? 1 : 2
        self.result = PixelSize(width: min(result.width, full.width), height: min(result.height, full.height))
        self.filter = filter
        least = PixelSize(
            width: min(factor * self.result.width, full.width), height: min(factor * self.result.height, full.height))
    }
}
