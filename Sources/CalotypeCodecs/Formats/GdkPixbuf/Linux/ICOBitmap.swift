#if GdkPixbuf
    /// An icon's image that is no PNG: a BMP info header with twice the height, colors, rows from the bottom, and a mask.
    ///
    /// Read here, because GdkPixbuf ignores the colors of 1 bit. The pixels are those that Chromium shows.
    struct ICOBitmap {
        let size: PixelSize
        private let depth: Int
        private let content: ByteReader
        /// The straight colors of the indices, black where the file has none.
        private let colors: [UInt32]
        private let pixels: Int
        private let mask: Int

        /// Returns `nil` if the header is invalid.
        init?(_ icon: ICOImage, _ file: ByteReader) {
            let content = file.slice(icon.content)
            guard content.uint32(at: 0, bigEndian: false) == 40, let width = content.uint32(at: 4, bigEndian: false),
                let height = content.uint32(at: 8, bigEndian: false), width < 1 << 16, height < 1 << 17,
                let depth = content.uint16(at: 14, bigEndian: false), [1, 4, 8, 16, 24, 32].contains(depth),
                content.uint32(at: 16, bigEndian: false) == 0, let named = content.uint32(at: 32, bigEndian: false)
            else { return nil }
            let most = depth > 8 ? 0 : 1 << depth, count = named == 0 ? most : min(named, most)
            size = PixelSize(width: width, height: height / 2)
            (self.depth, self.content) = (depth, content)
            colors = (0..<most).map { index in
                let color = index < count ? content.uint32(at: 40 + 4 * index, bigEndian: false) ?? 0 : 0
                return 0xFF00_0000 | UInt32(color & 0xFF_FFFF)
            }
            pixels = 40 + 4 * count
            mask = pixels + Self.rowBytes(width, depth) * size.height
        }

        private static func rowBytes(_ width: Int, _ depth: Int) -> Int { (width * depth + 31) / 32 * 4 }

        /// Whether the file has all pixels and, unless they have 32 bits, the mask.
        var isWhole: Bool {
            (depth == 32 ? mask : mask + Self.rowBytes(size.width, 1) * size.height) <= content.count
        }

        /// Decodes to premultiplied BGRA. The mask counts if there is no alpha, or all of it is 0.
        func decode() throws(CodecError) -> Bitmap {
            try Bitmap(size, hasAlpha: true) { bytes, stride in
                let rows = PixelRows(bytes, size: size, stride: stride)
                var alphas: UInt32 = 0
                for y in 0..<size.height {
                    let row = rows.row(size.height - 1 - y)
                    let start = pixels + y * Self.rowBytes(size.width, depth)
                    for x in row.indices {
                        row[x] = color(x, start)
                        alphas |= row[x]
                    }
                }
                if alphas >> 24 == 0 { rows.makeOpaque() }
                if depth == 32, alphas >> 24 != 0 { rows.forEachRow { $0.premultiply() } } else { clearMasked(rows) }
            }
        }

        private func clearMasked(_ rows: PixelRows) {
            for y in 0..<size.height {
                let row = rows.row(size.height - 1 - y)
                let start = mask + y * Self.rowBytes(size.width, 1)
                for x in row.indices where (content.uint8(at: start + x / 8) ?? 0) << (x % 8) & 0x80 != 0 { row[x] = 0 }
            }
        }

        /// Returns a pixel of the row that begins at `start`, as straight BGRA.
        private func color(_ x: Int, _ start: Int) -> UInt32 {
            switch depth {
            case 32: return UInt32(content.uint32(at: start + 4 * x, bigEndian: false) ?? 0)
            case 24:
                let (low, high) = (start + 3 * x, start + 3 * x + 2)
                let color = (content.uint16(at: low, bigEndian: false) ?? 0) | (content.uint8(at: high) ?? 0) << 16
                return 0xFF00_0000 | UInt32(color)
            case 16:
                let color = UInt32(content.uint16(at: start + 2 * x, bigEndian: false) ?? 0)
                func wide(_ five: UInt32) -> UInt32 { (five * 255 + 15) / 31 }
                return 0xFF00_0000 | wide(color >> 10 & 31) << 16 | wide(color >> 5 & 31) << 8 | wide(color & 31)
            default:
                let byte = content.uint8(at: start + x * depth / 8) ?? 0
                return colors[byte >> (8 - depth - x * depth % 8) & (1 << depth - 1)]
            }
        }
    }
#endif
