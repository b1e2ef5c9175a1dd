#if GdkPixbuf
    /// The best image in an ICO or CUR file, chosen from the image directory at the start of the file.
    struct ICOImage {
        /// The bits per pixel of an icon. In a cursor, this field is a coordinate of the hotspot.
        private let bits: Int
        /// The range of the image, which may exceed the file.
        let content: Range<Int>
        let isPNG: Bool

        /// Chooses the widest image and, among equal widths, the one with the most bits per pixel. Returns `nil` if the
        /// directory is truncated or empty.
        init?(_ file: ByteReader) {
            guard let count = file.uint16(at: 4, bigEndian: false) else { return nil }
            var best: (width: Int, bits: Int, content: Range<Int>)?
            for index in 0..<count {
                let place = 6 + 16 * index
                guard let width = file.uint8(at: place), let bits = file.uint16(at: place + 6, bigEndian: false),
                    let size = file.uint32(at: place + 8, bigEndian: false),
                    let offset = file.uint32(at: place + 12, bigEndian: false)
                else { return nil }
                // A width of 0 stands for 256.
                let entry = (width: width == 0 ? 256 : width, bits: bits, content: offset..<offset + size)
                if (entry.width, entry.bits) > (best?.width ?? 0, best?.bits ?? 0) { best = entry }
            }
            guard let best else { return nil }
            (bits, content) = (best.bits, best.content)
            isPNG = file.uint32(at: content.lowerBound) == 0x8950_4E47
        }

        /// Returns the size and minimum length of a non-PNG image, or `nil` if its header is invalid. The image is a
        /// BMP info header (with twice the height), colors, rows, and a mask, which is optional with 32 bits.
        func bitmap(_ file: ByteReader) -> (size: PixelSize, byteCount: Int)? {
            let start = content.lowerBound
            guard file.uint32(at: start, bigEndian: false) == 40,
                let width = file.uint32(at: start + 4, bigEndian: false),
                let height = file.uint32(at: start + 8, bigEndian: false), width < 1 << 16, height < 1 << 17,
                let depth = file.uint16(at: start + 14, bigEndian: false), [1, 4, 8, 16, 24, 32].contains(depth),
                let named = file.uint32(at: start + 32, bigEndian: false)
            else { return nil }
            let size = PixelSize(width: width, height: height / 2)
            let colors = depth > 8 ? 0 : named == 0 ? 1 << depth : min(named, 1 << depth)
            let mask = depth == 32 ? 0 : (width + 31) / 32 * 4
            return (size, 40 + 4 * colors + ((width * depth + 31) / 32 * 4 + mask) * size.height)
        }

        /// Returns the start of an icon file that contains only this image: GdkPixbuf would choose among several images
        /// itself, and never a PNG.
        func headAlone(_ size: PixelSize) -> [UInt8] {
            let side = { (length: Int) in UInt8(length < 256 ? length : 0) }
            let start: [UInt8] = [0, 0, 1, 0, 1, 0, side(size.width), side(size.height), 0, 0, 1, 0]
            return start + [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
                + [content.count, 22].flatMap { number in
                    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
                }
        }
    }
#endif
