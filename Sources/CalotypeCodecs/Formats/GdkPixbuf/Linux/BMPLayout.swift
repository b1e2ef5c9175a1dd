#if GdkPixbuf
    struct BMPLayout {
        /// The size of the image. A negative height, which means rows from top to bottom, is made positive.
        let size: PixelSize
        let depth: Int
        /// 0 for uncompressed rows, 1 and 2 for run lengths, 3 for bit masks.
        let compression: Int
        /// The offset of the pixels in the file.
        let pixels: Int
        /// The size, in bytes, of the second header, which follows the 14 bytes of the file header.
        private let headerSize: Int
        /// The number of palette colors, limited to those that fit before the pixels.
        private let colorCount: Int

        init?(_ file: ByteReader) {
            guard let headerSize = file.uint32(at: 14, bigEndian: false), (12...124).contains(headerSize),
                let start = file.uint32(at: 10, bigEndian: false)
            else { return nil }
            let isShort = headerSize == 12
            func number(_ short: Int, _ long: Int) -> Int? {
                isShort ? file.uint16(at: short, bigEndian: false) : file.uint32(at: long, bigEndian: false)
            }
            guard let width = number(18, 18), let height = number(20, 22), width < 1 << 31,
                let depth = file.uint16(at: isShort ? 24 : 28, bigEndian: false), depth <= 32
            else { return nil }
            size = PixelSize(width: width, height: Int(Int32(truncatingIfNeeded: height).magnitude))
            compression = headerSize < 40 ? 0 : file.uint32(at: 30, bigEndian: false) ?? 0
            let named = headerSize < 40 ? 0 : file.uint32(at: 46, bigEndian: false) ?? 0
            let head = 14 + headerSize + (headerSize == 40 && compression == 3 ? 12 : 0)
            let mostColors = depth > 8 ? 0 : 1 << depth
            let wanted = named == 0 ? mostColors : min(named, mostColors)
            pixels = start == 0 ? head + wanted * (isShort ? 3 : 4) : start
            colorCount = min(wanted, max(pixels - head, 0) / (isShort ? 3 : 4))
            guard pixels >= head, colorCount > 0 || depth > 8 else { return nil }
            (self.depth, self.headerSize) = (depth, headerSize)
        }

        /// Returns the bytes before the pixels, without gaps and with a full palette: GdkPixbuf expects the pixels
        /// right after the palette, regardless of the offset in the file header.
        func head(_ file: ByteReader) -> [UInt8] {
            let masks = headerSize == 40 && compression == 3 ? 12 : 0
            let colorBytes = headerSize == 12 ? 3 : 4
            let mostColors = depth > 8 ? 0 : 1 << depth
            var head = file.slice(0..<14 + headerSize + masks + colorCount * colorBytes).copy()
            head += [UInt8](repeating: 0, count: (mostColors - colorCount) * colorBytes)
            for byte in 0..<4 {
                head[10 + byte] = UInt8(truncatingIfNeeded: head.count >> (8 * byte))
                if headerSize >= 40 { head[46 + byte] = 0 }
            }
            return head
        }
    }
#endif
