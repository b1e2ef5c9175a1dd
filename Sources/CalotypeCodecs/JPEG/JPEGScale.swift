/// How much smaller a JPEG is decoded than it is stored: by eighths, which is what the transform can leave out.
struct JPEGScale: Hashable {
    /// 1 to 8.
    var eighths: Int

    /// The smallest scale at which the picture is still as large as wanted.
    static func smallest(from stored: PixelSize, covering wanted: PixelSize) -> JPEGScale {
        for eighths in 1..<8 {
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
}
