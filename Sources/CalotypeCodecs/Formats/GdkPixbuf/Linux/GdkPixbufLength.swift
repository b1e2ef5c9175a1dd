#if GdkPixbuf
    /// Checks that a file is as long as its header implies: GdkPixbuf decodes most truncated files without an error.
    enum GdkPixbufLength {
        static func isWhole(_ kind: GdkPixbufKind, _ file: ByteReader) -> Bool {
            switch kind {
            case .bmp: BMPLayout(file).map { isWhole($0, file) } ?? false
            case .ico: ICOImage(file).map { isWhole($0, file) } ?? false
            // GdkPixbuf itself rejects truncated TGA files.
            case .tga: true
            case .pnm: PNMHeader(file).map { isWhole($0, file) } ?? false
            }
        }

        private static func isWhole(_ bmp: BMPLayout, _ file: ByteReader) -> Bool {
            switch bmp.compression {
            case 1, 2: return hasLastRun(bmp, file)
            case 0, 3:
                let row = (bmp.size.width * bmp.depth + 31) / 32 * 4
                return bmp.pixels + product(row, bmp.size.height) <= file.count
            default: return true
            }
        }

        /// Returns whether the runs of a run-length-encoded BMP reach the last row. The header contains no length.
        private static func hasLastRun(_ bmp: BMPLayout, _ file: ByteReader) -> Bool {
            var (offset, x, y) = (bmp.pixels, 0, 0)
            while let count = file.uint8(at: offset), let value = file.uint8(at: offset + 1) {
                offset += 2
                switch (count, value) {
                case (1..., _): x += count
                case (_, 0): (x, y) = (0, y + 1)
                case (_, 1): return y >= bmp.size.height - 1
                case (_, 2):
                    x += file.uint8(at: offset) ?? 0
                    y += file.uint8(at: offset + 1) ?? 0
                    offset += 2
                default:
                    // Literal pixels, padded to an even number of bytes.
                    x += value
                    offset += ((bmp.compression == 2 ? (value + 1) / 2 : value) + 1) & ~1
                }
            }
            return offset <= file.count && (y >= bmp.size.height || y == bmp.size.height - 1 && x >= bmp.size.width)
        }

        private static func isWhole(_ icon: ICOImage, _ file: ByteReader) -> Bool {
            icon.content.upperBound <= file.count && ICOBitmap(icon, file)?.isWhole ?? false
        }

        private static func isWhole(_ pnm: PNMHeader, _ file: ByteReader) -> Bool {
            let samples = product(product(pnm.size.width, pnm.size.height), pnm.samplesPerPixel)
            switch pnm.kind {
            case 4: return pnm.end + 1 + product((pnm.size.width + 7) / 8, pnm.size.height) <= file.count
            case 5, 6: return pnm.end + 1 + product(samples, pnm.largest > 255 ? 2 : 1) <= file.count
            default:
                // Text has at least one byte per sample, so check the length before counting.
                guard pnm.end + samples <= file.count else { return false }
                var text = PNMText(file, from: pnm.end)
                return (0..<samples).allSatisfy { _ in (pnm.kind == 1 ? text.digit() : text.number()) != nil }
            }
        }

        /// Returns the product, clamped to 2^60, which is larger than any file.
        private static func product(_ one: Int, _ other: Int) -> Int {
            let (product, overflow) = one.multipliedReportingOverflow(by: other)
            return overflow ? 1 << 60 : min(product, 1 << 60)
        }
    }
#endif
