/// The last steps of a decoder: scale, convert the colors, turn upright. This order minimizes the pixels per step.
struct DecodePostprocessing {
    var size: DecodeSize
    /// The EXIF orientation, 1 to 8.
    var orientation = 1
    /// The conversion of the colors, or `nil` if the pixels are already sRGB.
    var colors: ColorConversion?

    /// - Parameter extent: The extent of the image within `stored`. If `nil`, the image covers all pixels.
    func apply(to stored: consuming Bitmap, extent: ImageExtent? = nil) throws(CodecError) -> Bitmap {
        let extent = extent ?? ImageExtent(stored.size)
        var bitmap = try stored.scaled(
            from: extent, to: size.result.turned(from: orientation), filter: size.filter, channels: channels)
        if let colors { try colors.apply(to: &bitmap, within: size.gamut) }
        return orientation == 1 ? bitmap : try bitmap.oriented(orientation)
    }

    /// The meaning of the stored pixels' channels. If `nil`, the bitmap determines it.
    private var channels: PixelChannels? {
        if case .inks = colors { return .fourColors }
        return nil
    }

    /// Returns the memory, in bytes, needed in addition to the decoded pixels: the working memory of scaling, the
    /// scaled bitmap, and a turned copy of that bitmap unless the image is stored upright.
    ///
    /// - Parameter decoded: The size of the decoded pixels. If `nil`, it is the stored size.
    static func workingBytes(for header: ImageHeader, decoded: PixelSize? = nil, size: DecodeSize) -> Int {
        let turning = header.orientation == 1 ? 0 : size.result.bitmapBytes
        let (decoded, stored) = (decoded ?? header.stored, header.stored(size.result))
        guard decoded != stored else { return turning }
        let scaling = ImageScaling(from: ImageExtent(decoded), to: stored, filter: size.filter)
        return scaling.workingBytes + size.result.bitmapBytes + turning
    }
}
