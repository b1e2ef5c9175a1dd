/// The frames of a GIF in order, found without decoding.
struct GIFBlocks: IteratorProtocol {
    struct Frame {
        /// The offset of the frame's descriptor in the file.
        var offset = 0
        var rect = PixelRect(x: 0, y: 0, width: 0, height: 0)
        /// The index of the transparent color, or `nil` if the frame has no such color.
        var transparentIndex: Int?
        var milliseconds = 0
        var disposal = AnimationFrame.Disposal.keep
        /// Whether the frame has no bytes of pixels. It is clear then, as in browsers.
        var isEmpty = false
        var hasAlpha: Bool { transparentIndex != nil || isEmpty }
    }

    let screen: PixelSize
    /// The number of times that the animation plays, or `nil` if it repeats forever. It is 1 until `next()` reads a
    /// loop count.
    private(set) var loopCount: Int? = 1
    /// Whether the latest call of `next()` found the data of the previous frame truncated.
    private(set) var isCutShort = false
    /// Whether a loop count has been read. The first one applies, as in Chromium.
    private var hasLoopCount = false
    private let bytes: ByteReader
    private var offset: Int
    private var isAtFrame = false

    init?(_ bytes: ByteReader) {
        guard bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) else { return nil }
        self.bytes = bytes
        screen = PixelSize(
            width: bytes.uint16(at: 6, bigEndian: false) ?? 0, height: bytes.uint16(at: 8, bigEndian: false) ?? 0)
        offset = 13 + Self.colorTableBytes(bytes.uint8(at: 10) ?? 0)
    }

    /// Returns the screen, enlarged to contain the first frame: some files have a screen that is too small or empty.
    func canvas(with first: Frame) -> PixelSize {
        PixelSize(
            width: max(screen.width, first.rect.x + first.rect.width),
            height: max(screen.height, first.rect.y + first.rect.height))
    }

    /// Reads up to the next frame's descriptor. Returns `nil` at the end or at damaged data. The following call skips
    /// the frame's image data, and sets `isCutShort` if that data is truncated.
    mutating func next() -> Frame? {
        if isAtFrame { offset = endOfFrame() }
        isCutShort = isAtFrame && offset > bytes.count
        isAtFrame = false
        var frame = Frame()
        while let introducer = bytes.uint8(at: offset) {
            switch introducer {
            case 0x21:
                readExtension(of: &frame)
                offset = endOfSubBlocks(from: offset + 2)
            case 0x2C:
                isAtFrame = readDescriptor(of: &frame)
                return isAtFrame ? frame : nil
            default: return nil
            }
        }
        return nil
    }

    // MARK: - Parsing

    private static func colorTableBytes(_ flags: Int) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1)
    }

    private mutating func readExtension(of frame: inout Frame) {
        switch bytes.uint8(at: offset + 1) {
        case 0xF9:
            guard let flags = bytes.uint8(at: offset + 3) else { return }
            frame.transparentIndex = flags & 1 != 0 ? bytes.uint8(at: offset + 6) : nil
            frame.milliseconds = 10 * (bytes.uint16(at: offset + 4, bigEndian: false) ?? 0)
            frame.disposal =
                switch flags >> 2 & 7 {
                case 2: .clear
                case 3, 4: .restore
                default: .keep
                }
        case 0xFF where bytes.has("NETSCAPE2.0", at: offset + 3) || bytes.has("ANIMEXTS1.0", at: offset + 3):
            guard bytes.uint8(at: offset + 15) == 1, let count = bytes.uint16(at: offset + 16, bigEndian: false)
            else { return }
            // The number of repetitions after the first playback; 0 repeats forever.
            if !hasLoopCount { loopCount = count == 0 ? nil : count + 1 }
            hasLoopCount = true
        default: return
        }
    }

    /// Returns `false` if the descriptor is incomplete.
    private func readDescriptor(of frame: inout Frame) -> Bool {
        guard let x = bytes.uint16(at: offset + 1, bigEndian: false),
            let y = bytes.uint16(at: offset + 3, bigEndian: false),
            let width = bytes.uint16(at: offset + 5, bigEndian: false),
            let height = bytes.uint16(at: offset + 7, bigEndian: false), bytes.uint8(at: offset + 9) != nil
        else { return false }
        (frame.offset, frame.rect) = (offset, PixelRect(x: x, y: y, width: width, height: height))
        // A byte precedes the blocks of pixels.
        frame.isEmpty = bytes.uint8(at: startOfData + 1) == 0
        return true
    }

    private func endOfFrame() -> Int { endOfSubBlocks(from: startOfData + 1) }

    /// The offset behind the descriptor and its color table.
    private var startOfData: Int { offset + 10 + Self.colorTableBytes(bytes.uint8(at: offset + 9) ?? 0) }

    private func endOfSubBlocks(from start: Int) -> Int {
        var offset = start
        while let length = bytes.uint8(at: offset), length > 0 { offset += length + 1 }
        return offset + 1
    }
}
