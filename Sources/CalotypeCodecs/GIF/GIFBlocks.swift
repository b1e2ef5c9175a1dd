/// The blocks of a GIF89a file, walked without decoding anything.
struct GIFBlocks {
    struct Frame {
        var x: Int
        var y: Int
        var size: PixelSize
        /// Index of the colour that stands for "nothing here".
        var transparentIndex: Int?
    }

    private(set) var screen: PixelSize
    private(set) var firstFrame: Frame?
    private(set) var frameCount = 0
    /// Of all frames.
    private(set) var duration = Duration.zero
    /// Whether the first frame is there up to its end.
    private(set) var hasWholeFrame = false
    private let bytes: ByteReader

    /// Nil: these bytes do not begin as a GIF does, or end within the first 13.
    init?(_ bytes: ByteReader) {
        guard bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) else { return nil }
        self.bytes = bytes
        screen = PixelSize(
            width: bytes.uint16(at: 6, bigEndian: false) ?? 0, height: bytes.uint16(at: 8, bigEndian: false) ?? 0)
        walk()
    }

    /// The screen, or the first frame where that reaches further: there are files whose screen is too small or nothing.
    var canvas: PixelSize {
        guard let frame = firstFrame else { return screen }
        return PixelSize(
            width: max(screen.width, frame.x + frame.size.width),
            height: max(screen.height, frame.y + frame.size.height))
    }

    /// Whether any pixel of the canvas may be transparent in the first frame.
    var hasAlpha: Bool {
        guard let frame = firstFrame else { return true }
        return frame.transparentIndex != nil || frame.size != canvas
    }

    // MARK: - The walk

    private mutating func walk() {
        guard let flags = bytes.uint8(at: 10) else { return }
        var offset = 13 + Self.colorTableBytes(flags)
        var transparentIndex: Int?
        var hundredths = 0
        while let introducer = bytes.uint8(at: offset) {
            switch introducer {
            case 0x21:
                if bytes.uint8(at: offset + 1) == 0xF9 {
                    transparentIndex = transparency(at: offset)
                    hundredths = bytes.uint16(at: offset + 4, bigEndian: false) ?? 0
                }
                offset = endOfSubBlocks(from: offset + 2)
            case 0x2C:
                guard let flags = bytes.uint8(at: offset + 9) else { return }
                if firstFrame == nil { firstFrame = frame(at: offset, transparentIndex) }
                frameCount += 1
                duration += ImageHeader.shownDuration(milliseconds: 10 * hundredths)
                (transparentIndex, hundredths) = (nil, 0)
                offset = endOfSubBlocks(from: offset + 11 + Self.colorTableBytes(flags))
                if frameCount == 1 { hasWholeFrame = offset <= bytes.count }
            default: return
            }
        }
    }

    private static func colorTableBytes(_ flags: Int) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1)
    }

    private func transparency(at offset: Int) -> Int? {
        guard let flags = bytes.uint8(at: offset + 3), flags & 1 != 0 else { return nil }
        return bytes.uint8(at: offset + 6)
    }

    private func frame(at offset: Int, _ transparentIndex: Int?) -> Frame? {
        guard let x = bytes.uint16(at: offset + 1, bigEndian: false),
            let y = bytes.uint16(at: offset + 3, bigEndian: false),
            let width = bytes.uint16(at: offset + 5, bigEndian: false),
            let height = bytes.uint16(at: offset + 7, bigEndian: false)
        else { return nil }
        return Frame(x: x, y: y, size: PixelSize(width: width, height: height), transparentIndex: transparentIndex)
    }

    private func endOfSubBlocks(from start: Int) -> Int {
        var offset = start
        while let length = bytes.uint8(at: offset), length > 0 { offset += length + 1 }
        return offset + 1
    }
}
