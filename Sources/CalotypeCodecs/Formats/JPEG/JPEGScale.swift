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

extension ImageHeader {
    /// Returns the upright size of a JPEG at the scale of the codec that covers another size, or `nil` for other formats, and if
    /// the image ends within a pixel of that scale.
    ///
    /// A decode to this size takes no resize filter.
    package func codecSize(covering least: PixelSize) -> PixelSize? {
        guard format == .jpeg else { return nil }
        let scale = JPEGScale.smallest(from: stored, covering: stored(least))
        guard (width * scale.eighths).isMultiple(of: 8), (height * scale.eighths).isMultiple(of: 8) else { return nil }
        return scale.size(of: stored).turned(from: orientation)
    }
}
