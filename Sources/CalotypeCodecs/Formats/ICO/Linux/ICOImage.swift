/// The best image in an icon or cursor, chosen from the image directory at the start of the file.
struct ICOImage {
    /// The range of the image, which may exceed the file.
    let content: Range<Int>
    let isPNG: Bool

    /// Chooses the widest image and, among equal widths, the one with the most bits per pixel. Returns `nil` if the
    /// directory is truncated or empty.
    init?(_ file: ByteReader) {
        guard let kind = file.uint16(at: 2, bigEndian: false), let count = file.uint16(at: 4, bigEndian: false) else {
            return nil
        }
        var best: (width: Int, bits: Int, content: Range<Int>)?
        for index in 0..<count {
            let place = 6 + 16 * index
            guard let width = file.uint8(at: place), let bits = file.uint16(at: place + 6, bigEndian: false),
                let size = file.uint32(at: place + 8, bigEndian: false),
                let offset = file.uint32(at: place + 12, bigEndian: false)
            else { return nil }
            // A width of 0 stands for 256. A cursor has a row of its hot spot in place of the bits.
            let depth = kind == 2 ? Self.depth(of: offset, file) : bits
            let entry = (width: width == 0 ? 256 : width, bits: depth, content: offset..<offset + size)
            if best == nil || (entry.width, entry.bits) > (best?.width ?? 0, best?.bits ?? 0) { best = entry }
        }
        guard let best else { return nil }
        content = best.content
        isPNG = Self.isPNG(content.lowerBound, file)
    }

    private static func isPNG(_ offset: Int, _ file: ByteReader) -> Bool { file.uint32(at: offset) == 0x8950_4E47 }

    /// Returns the bits of a pixel in an image's own header.
    private static func depth(of offset: Int, _ file: ByteReader) -> Int {
        isPNG(offset, file) ? 32 : file.uint16(at: offset + 14, bigEndian: false) ?? 0
    }
}
