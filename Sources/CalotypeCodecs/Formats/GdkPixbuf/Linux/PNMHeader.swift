#if GdkPixbuf
    /// The header of a Netpbm image: width, height, and, except for 1-bit images (PBM), the largest sample value.
    struct PNMHeader {
        /// The digit of the signature P1 to P6: 1-bit, gray and color as text, then the same three as binary data.
        let kind: Int
        let size: PixelSize
        let largest: Int
        /// The offset after the header's last number.
        let end: Int

        init?(_ file: ByteReader) {
            guard let kind = file.uint8(at: 1).map({ $0 - 0x30 }) else { return nil }
            var text = PNMText(file, from: 2)
            guard let width = text.number(), let height = text.number() else { return nil }
            let isBitmap = kind == 1 || kind == 4
            guard let largest = isBitmap ? 1 : text.number(), (1...65_535).contains(largest) else { return nil }
            (self.kind, size, self.largest) = (kind, PixelSize(width: width, height: height), largest)
            end = text.offset
        }

        var isText: Bool { kind <= 3 }
        var samplesPerPixel: Int { kind == 3 || kind == 6 ? 3 : 1 }
    }

    /// Reads numbers in text, skipping comments.
    struct PNMText {
        private let file: ByteReader
        private(set) var offset: Int

        init(_ file: ByteReader, from offset: Int) {
            (self.file, self.offset) = (file, offset)
        }

        mutating func number() -> Int? {
            skipSpace()
            var number: Int?
            while let byte = file.uint8(at: offset), (0x30...0x39).contains(byte), number ?? 0 < 1 << 32 {
                number = 10 * (number ?? 0) + byte - 0x30
                offset += 1
            }
            return number
        }

        /// Reads the next pixel of a 1-bit image stored as text, in which pixels need no separators.
        mutating func digit() -> Int? {
            skipSpace()
            guard let byte = file.uint8(at: offset), (0x30...0x31).contains(byte) else { return nil }
            offset += 1
            return byte - 0x30
        }

        private mutating func skipSpace() {
            while let byte = file.uint8(at: offset) {
                if byte == 0x23 {
                    while let byte = file.uint8(at: offset), byte != 0x0A { offset += 1 }
                } else if [0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20].contains(byte) {
                    offset += 1
                } else {
                    break
                }
            }
        }
    }
#endif
