#if LongTail
    /// What the header of one of GdkPixbuf's formats says.
    struct LongTailFacts {
        /// As shown, upright.
        var size: PixelSize
        var mayHaveAlpha = true
        /// The file's length at least, where the header tells.
        var bytesNeeded = 0

        private init(_ width: Int, _ height: Int, mayHaveAlpha: Bool = true) {
            size = PixelSize(width: width, height: height)
            self.mayHaveAlpha = mayHaveAlpha
        }
    }

    extension LongTailFacts {
        /// The second header, in one of two layouts. A negative height stands for rows from the top.
        init?(bmp file: ByteReader) {
            guard let headerSize = file.uint32(at: 14, bigEndian: false) else { return nil }
            if headerSize == 12 {
                guard let width = file.uint16(at: 18, bigEndian: false),
                    let height = file.uint16(at: 20, bigEndian: false)
                else { return nil }
                self.init(width, height)
                return
            }
            guard let width = file.uint32(at: 18, bigEndian: false), let height = file.uint32(at: 22, bigEndian: false),
                let depth = file.uint16(at: 28, bigEndian: false),
                let compression = file.uint32(at: 30, bigEndian: false),
                let start = file.uint32(at: 10, bigEndian: false), width < 1 << 31
            else { return nil }
            self.init(width, Int(Int32(truncatingIfNeeded: height).magnitude))
            // 1 and 2 are run lengths, which may be shorter.
            if compression != 1, compression != 2 {
                bytesNeeded = start + Self.product((width * depth + 31) / 32 * 4, size.height)
            }
        }

        /// The icon that GdkPixbuf takes: the widest by the directory, where 0 stands for 256.
        init?(ico file: ByteReader) {
            guard let count = file.uint16(at: 4, bigEndian: false) else { return nil }
            var best: (width: Int, offset: Int, end: Int)?
            for index in 0..<count {
                let entry = 6 + 16 * index
                guard let width = file.uint8(at: entry), let size = file.uint32(at: entry + 8, bigEndian: false),
                    let offset = file.uint32(at: entry + 12, bigEndian: false)
                else { return nil }
                let shown = width == 0 ? 256 : width
                if shown > best?.width ?? 0 { best = (shown, offset, offset + size) }
            }
            guard let best, let icon = Self.icon(file, best.offset) else { return nil }
            self.init(icon.width, icon.height)
            bytesNeeded = best.end
        }

        /// A BMP's second header, of twice the height for its mask, or a PNG.
        private static func icon(_ file: ByteReader, _ offset: Int) -> (width: Int, height: Int)? {
            if file.uint32(at: offset) == 0x8950_4E47 {
                guard let width = file.uint32(at: offset + 16), let height = file.uint32(at: offset + 20) else {
                    return nil
                }
                return (width, height)
            }
            guard file.uint32(at: offset, bigEndian: false) == 40,
                let width = file.uint32(at: offset + 4, bigEndian: false),
                let height = file.uint32(at: offset + 8, bigEndian: false), width < 1 << 16, height < 1 << 17
            else { return nil }
            return (width, height / 2)
        }

        init?(tga file: ByteReader) {
            guard let kind = file.uint8(at: 2), let width = file.uint16(at: 12, bigEndian: false),
                let height = file.uint16(at: 14, bigEndian: false), let depth = file.uint8(at: 16),
                let mapCount = file.uint16(at: 5, bigEndian: false), let mapDepth = file.uint8(at: 7),
                let comment = file.uint8(at: 0)
            else { return nil }
            self.init(width, height)
            let pixels = 18 + comment + mapCount * ((mapDepth + 7) / 8)
            // Run lengths say up to 128 pixels in one step.
            let isPacked = kind >= 8
            let step = (depth + 7) / 8
            bytesNeeded = pixels + (isPacked ? width * height / 128 * (1 + step) : width * height * step)
        }

        /// Ends at 2^60, which no file reaches.
        static func product(_ one: Int, _ other: Int) -> Int {
            let (product, overflow) = one.multipliedReportingOverflow(by: other)
            return overflow ? 1 << 60 : min(product, 1 << 60)
        }

        /// Numbers in text, with comments between them: width, height, and except for bitmaps the largest value.
        init?(pnm file: ByteReader) {
            guard let kind = file.uint8(at: 1).map({ $0 - 0x30 }) else { return nil }
            var text = PNMText(file)
            guard let width = text.number(), let height = text.number() else { return nil }
            let isBitmap = kind == 1 || kind == 4
            guard let largest = isBitmap ? 1 : text.number(), (1...65_535).contains(largest) else { return nil }
            self.init(width, height, mayHaveAlpha: false)
            let samples = kind == 3 || kind == 6 ? 3 : 1
            let pixels = Self.product(width, height)
            bytesNeeded =
                switch kind {
                case 4: text.offset + 1 + Self.product((width + 7) / 8, height)
                case 5, 6: text.offset + 1 + Self.product(pixels, samples * (largest > 255 ? 2 : 1))
                // As text: a digit for each sample.
                default: text.offset + Self.product(pixels, samples)
                }
        }
    }

    private struct PNMText {
        private let file: ByteReader
        private(set) var offset = 2

        init(_ file: ByteReader) {
            self.file = file
        }

        mutating func number() -> Int? {
            while let byte = file.uint8(at: offset) {
                if byte == 0x23 {
                    while let byte = file.uint8(at: offset), byte != 0x0A { offset += 1 }
                } else if [0x09, 0x0A, 0x0D, 0x20].contains(byte) {
                    offset += 1
                } else {
                    break
                }
            }
            var number: Int?
            while let byte = file.uint8(at: offset), (0x30...0x39).contains(byte), number ?? 0 < 1 << 32 {
                number = 10 * (number ?? 0) + byte - 0x30
                offset += 1
            }
            return number
        }
    }
#endif
