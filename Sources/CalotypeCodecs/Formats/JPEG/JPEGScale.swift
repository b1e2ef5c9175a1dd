/// The scale at which a JPEG is decoded. The codec halves the size up to three times, by omitting the coefficients of
/// fine detail.
///
/// libjpeg-turbo supports every multiple of 1/8, but has no vector code for most of them: 5/8, 6/8 and 7/8 take longer
/// than full size, and 3/8 longer than 4/8. The extra time exceeds what the resize filter saves with the smaller image,
/// so only powers of two are used.
struct JPEGScale: Hashable {
    /// The scale in eighths: 1, 2, 4 or 8.
    var eighths: Int

    static func smallest(from stored: PixelSize, covering wanted: PixelSize) -> JPEGScale {
        for eighths in [1, 2, 4] {
            let scale = JPEGScale(eighths: eighths)
            let size = scale.size(of: stored)
            if size.width >= wanted.width, size.height >= wanted.height { return scale }
        }
        return JPEGScale(eighths: 8)
    }

    /// Returns the size at this scale. libjpeg rounds up.
    func size(of stored: PixelSize) -> PixelSize {
        PixelSize(width: (stored.width * eighths + 7) / 8, height: (stored.height * eighths + 7) / 8)
    }

    /// Returns the size at this scale and the exact extent of the image within it, which may end within the last pixel.
    func extent(of stored: PixelSize) -> ImageExtent {
        ImageExtent(
            size(of: stored), width: Double(stored.width * eighths) / 8, height: Double(stored.height * eighths) / 8)
    }
}
