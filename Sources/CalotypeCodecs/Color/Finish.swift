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

    /// Bytes beside the bitmap that comes in: the small one, and another where it has to be turned.
    static func workingBytes(for header: ImageHeader, size: PixelSize) -> Int {
        let shrinks = size != header.uprightSize
        let turns = header.orientation != 1
        return (shrinks ? size.bitmapBytes : 0) + (turns ? size.bitmapBytes : 0)
    }

    private func shrunk(_ bitmap: Bitmap) throws(CodecError) -> Bitmap {
        let stored = orientation >= 5 ? PixelSize(width: size.height, height: size.width) : size
        guard bitmap.width != stored.width || bitmap.height != stored.height else { return bitmap }
        return try bitmap.scaled(to: stored)
    }
}
