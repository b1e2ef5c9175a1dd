/// How much smaller a JPEG is decoded than it is stored, because the codec leaves out the fine half of its coefficients
/// once, twice or three times.
///
/// TurboJPEG offers every eighth. Those between the halves are not used: with no vector code behind them 5, 6 and 7
/// eighths take longer than the full size does, and 3 longer than 4, and what they save in the filter afterwards is less.
struct JPEGScale: Hashable {
    /// 1, 2, 4 or 8.
    var eighths: Int

    /// The smallest scale at which the image is still as large as wanted.
    static func smallest(from stored: PixelSize, covering wanted: PixelSize) -> JPEGScale {
        for eighths in [1, 2, 4] {
            let scale = JPEGScale(eighths: eighths)
            let size = scale.size(of: stored)
            if size.width >= wanted.width, size.height >= wanted.height { return scale }
        }
        return JPEGScale(eighths: 8)
    }

    /// TurboJPEG rounds up.
    func size(of stored: PixelSize) -> PixelSize {
        PixelSize(width: (stored.width * eighths + 7) / 8, height: (stored.height * eighths + 7) / 8)
    }

    /// Returns the extent of the image. Pixels that the scale rounds up lie beyond the image's edge, and move nothing
    /// within it.
    func extent(of stored: PixelSize) -> ImageExtent {
        ImageExtent(
            size(of: stored), width: Double(stored.width * eighths) / 8, height: Double(stored.height * eighths) / 8)
    }
}
