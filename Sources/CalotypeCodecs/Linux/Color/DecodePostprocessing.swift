/// The last steps of a decoder: scale, convert the colors, turn upright. This order minimizes the pixels per step. Curves that are far from
/// sRGB's are converted before.
struct DecodePostprocessing {
    var size: DecodeSize
    /// The EXIF orientation, 1 to 8.
    var orientation = 1
    /// The conversion of the colors, or `nil` if the pixels are already sRGB.
    var colors: ColorConversion?

    /// - Parameter extent: The extent of the image within `stored`. If `nil`, the image covers all pixels.
    func apply(to stored: consuming Bitmap, extent: ImageExtent? = nil) throws(CodecError) -> Bitmap {
        let extent = extent ?? ImageExtent(stored.size)
        let result = size.result.turned(from: orientation)
        let replaced = result == stored.size ? nil : colors?.replacingCurves(most: 255)
        if let replaced {
            let (size, stride, hasAlpha) = (stored.size, stored.stride, stored.hasAlpha)
            try stored.withUnsafeMutableBytes { pixels in
                replaced.curves.apply(to: PixelRows(pixels, size: size, stride: stride), hasAlpha: hasAlpha)
            }
        }
        let bitmap = try stored.scaled(from: extent, to: result, filter: size.filter, channels: channels)
        return try finished(bitmap, replaced.map(\.remaining) ?? colors)
    }

    /// Reads and scales an image row by row, keeping only a few source rows in memory, converts and turns it.
    ///
    /// - Parameters:
    ///   - stored: The size of the image before scaling.
    ///   - read: Fills the buffer with the next row, as premultiplied BGRA or CMYK.
    func bitmap(
        rowsOf stored: PixelSize, hasAlpha: Bool,
        read: (UnsafeMutableBufferPointer<UInt32>) throws(CodecError) -> Void
    ) throws(CodecError) -> Bitmap {
        let result = size.result.turned(from: orientation)
        let replaced = result == stored ? nil : colors?.replacingCurves(most: 255)
        let bitmap = try Bitmap(
            rowsOf: stored, scaledTo: result, by: size.filter, hasAlpha: hasAlpha, channels: channels
        ) { (row) throws(CodecError) in
            try read(row)
            guard let replaced else { return }
            let rows = PixelRows(
                UnsafeMutableRawBufferPointer(row), width: row.count, height: 1, stride: 4 * row.count)
            replaced.curves.apply(to: rows, hasAlpha: hasAlpha)
        }
        return try finished(bitmap, replaced.map(\.remaining) ?? colors)
    }

    /// Converts and turns a scaled bitmap.
    private func finished(_ bitmap: consuming Bitmap, _ colors: ColorConversion?) throws(CodecError) -> Bitmap {
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
