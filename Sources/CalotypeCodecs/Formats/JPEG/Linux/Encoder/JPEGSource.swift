/// The pixels of a JPEG that is written: rows of BGRA, laid over white where they are transparent.
struct JPEGSource {
    let width: Int
    let height: Int
    private let pixels: UnsafeRawPointer
    private let stride: Int
    /// Memory for a row over white. `nil` if the image is opaque.
    private let blended: UnsafeMutablePointer<UInt32>?

    /// - Parameters:
    ///   - pixels: At least one row. They must stay valid.
    ///   - blended: Memory for a row, if any pixel may be transparent.
    init(
        _ pixels: UnsafeRawPointer, width: Int, height: Int, stride: Int, blended: UnsafeMutablePointer<UInt32>?
    ) {
        (self.pixels, self.width, self.height, self.stride) = (pixels, width, height, stride)
        self.blended = blended
    }

    /// Returns a row; above the image its first one, and below it its last one. Valid until the next call.
    func row(_ y: Int) -> UnsafePointer<UInt32> {
        let row = (pixels + min(max(y, 0), height - 1) * stride).assumingMemoryBound(to: UInt32.self)
        guard let blended else { return row }
        for x in 0..<width { blended[x] = row[x].overWhite }
        return UnsafePointer(blended)
    }
}

extension UInt32 {
    /// A premultiplied pixel over white. A color that exceeds its alpha becomes 255, and does not overflow into the next
    /// channel.
    fileprivate var overWhite: UInt32 {
        let white = 255 - self >> 24
        let redBlue = (self & 0x00FF_00FF) &+ white &* 0x0001_0001, green = (self >> 8 & 0xFF) &+ white
        let excess = redBlue & 0x0100_0100
        return 0xFF00_0000 | (redBlue | (excess &- excess >> 8)) & 0x00FF_00FF | Swift.min(green, 255) << 8
    }
}
