/// What every decoder does with the pixels as stored: shrink, convert to sRGB, turn upright. In this order, so that
/// each works on as few pixels as possible.
struct Finish {
    /// The upright size wanted; never larger than the picture.
    var size: PixelSize
    /// EXIF orientation, 1 to 8.
    var orientation: Int
    /// Nil: the pixels are sRGB already.
    var colors: ColorConversion?

    func apply(to stored: consuming Bitmap) throws(CodecError) -> Bitmap {
        var bitmap = try shrunk(stored)
        if let colors { try colors.apply(to: &bitmap) }
        return orientation == 1 ? bitmap : try bitmap.oriented(orientation)
    }

    /// Bytes beside the bitmap that comes in: what lies between it and the small one, the small one, and another of its
    /// size where it has to be turned.
    static func workingBytes(for header: ImageHeader, decoded: PixelSize, size: PixelSize) -> Int {
        let stored = header.stored(size)
        let turning = header.orientation == 1 ? 0 : size.bitmapBytes
        guard decoded != stored else { return turning }
        let isHalved = decoded.width >= 2 * stored.width && decoded.height >= 2 * stored.height
        // A quarter of the pixels and a quarter of those; or all columns of fewer rows.
        let between =
            isHalved
            ? decoded.bitmapBytes / 16 * 5 : PixelSize(width: decoded.width, height: stored.height).bitmapBytes
        return between + size.bitmapBytes + turning
    }

    private func shrunk(_ bitmap: Bitmap) throws(CodecError) -> Bitmap {
        try bitmap.scaled(to: orientation >= 5 ? PixelSize(width: size.height, height: size.width) : size)
    }
}
