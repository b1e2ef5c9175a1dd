import CalotypeCodecs

/// Two images of one size, next to each other with a strip of gray between.
enum SideBySide {
    static let gap = 8

    static func sheet(of left: Bitmap, _ right: Bitmap) throws(CodecError) -> Bitmap {
        let both = PixelSize(width: 2 * left.width + gap, height: left.height)
        let gray = ImageColor(red: 0x80, green: 0x80, blue: 0x80)
        let sheet = try left.applying(Pad(to: both, gravity: .left, color: gray))
        return try sheet.applying(Overlay(right, gravity: .right))
    }
}
