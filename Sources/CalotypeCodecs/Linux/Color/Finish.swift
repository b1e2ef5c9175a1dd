/// The steps that every decoder ends with: scale, convert to sRGB, turn upright. In this order, so that each works on
/// as few pixels as possible.
struct Finish {
    var size: DecodeSize
    /// EXIF orientation, 1 to 8.
    var orientation: Int
    /// The conversion to sRGB, or `nil` if the pixels are sRGB already.
    var colors: ColorConversion?

    /// - Parameter extent: how far the image reaches over the pixels; over all of them where nil.
    func apply(to stored: consuming Bitmap, extent: ImageExtent? = nil) throws(CodecError) -> Bitmap {
        let extent = extent ?? ImageExtent(stored.size)
        var bitmap = try stored.scaled(from: extent, to: size.result.turned(from: orientation), filter: size.filter)
        if let colors { try colors.apply(to: &bitmap) }
        return orientation == 1 ? bitmap : try bitmap.oriented(orientation)
    }

    /// Bytes beside the pixels as they come in: what scaling takes, the small bitmap, and another of its size where it has
    /// to be turned.
    static func workingBytes(for header: ImageHeader, decoded: PixelSize, size: DecodeSize) -> Int {
        let turning = header.orientation == 1 ? 0 : size.result.bitmapBytes
        let stored = header.stored(size.result)
        guard decoded != stored else { return turning }
        let scaling = ImageScaling(from: ImageExtent(decoded), to: stored, filter: size.filter)
        return scaling.workingBytes + size.result.bitmapBytes + turning
    }
}
