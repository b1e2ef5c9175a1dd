#if HEIF && JPEGXL && SVG && GdkPixbuf
    import CalotypeCodecs
    import Foundation

    /// The four quarters of `Drawings.quarters`, 40 × 24 pixels, as indices of four colors.
    enum PaletteFile {
        static let (width, height) = (40, 24)
        private static let colors: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]

        /// Returns the indices of a row's two equal halves, from the top.
        private static func halves(_ y: Int) -> (UInt8, UInt8) { y < height / 2 ? (0, 1) : (2, 3) }

        private static func rows(isUpwards: Bool, _ row: (UInt8, UInt8) -> [UInt8]) -> Data {
            let order = isUpwards ? Array((0..<height).reversed()) : Array(0..<height)
            return Data(order.flatMap { row(halves($0).0, halves($0).1) })
        }

        private static func numbers(isUpwards: Bool) -> Data {
            rows(isUpwards: isUpwards) { left, right in
                [UInt8](repeating: left, count: width / 2) + [UInt8](repeating: right, count: width / 2)
            }
        }

        /// Returns the colors, blue first.
        private static func palette(_ bytes: Int) -> Data {
            Data(colors.flatMap { $0.reversed() + [UInt8](repeating: 0, count: bytes - 3) })
        }

        /// - Parameters:
        ///   - named: The number of colors in the header, where 0 stands for 256.
        ///   - gap: The bytes between the colors and the pixels.
        static func bmp(named: Int = 4, gap: Int = 0) -> Data {
            bmp(compression: 0, named: named, gap: gap, numbers(isUpwards: true))
        }

        /// Returns a file of run lengths. If `ends` is `true`, an end marker follows the last row.
        static func packedBMP(ends: Bool = true, gap: Int = 0) -> Data {
            var runs = rows(isUpwards: true) { [UInt8(width / 2), $0, UInt8(width / 2), $1, 0, 0] }
            runs.replaceSubrange(runs.count - 2..<runs.count, with: ends ? [0, 1] : [])
            return bmp(compression: 1, named: 4, gap: gap, runs)
        }

        /// Returns a file in OS/2's layout, whose header lacks the number of colors.
        static func shortBMP() -> Data {
            let pixels = numbers(isUpwards: true)
            let start = 26 + 12
            return Data("BM".utf8)
                + GdkPixbufFile.little((start + pixels.count, 4), (0, 4), (start, 4), (12, 4), (width, 2), (height, 2))
                + GdkPixbufFile.little((1, 2), (8, 2)) + palette(3) + pixels
        }

        private static func bmp(compression: Int, named: Int, gap: Int, _ pixels: Data) -> Data {
            let start = 54 + 16 + gap
            let head = GdkPixbufFile.little((start + pixels.count, 4), (0, 4), (start, 4))
            let rest = GdkPixbufFile.little(
                (40, 4), (width, 4), (height, 4), (1, 2), (8, 2), (compression, 4), (pixels.count, 4), (0, 4), (0, 4),
                (named, 4), (0, 4))
            return Data("BM".utf8) + head + rest + palette(4) + Data(repeating: 1, count: gap) + pixels
        }

        static func tga(first: Int = 0, depth: Int = 24, isPacked: Bool = false) -> Data {
            let head = GdkPixbufFile.little(
                (0, 1), (1, 1), (isPacked ? 9 : 1, 1), (first, 2), (4, 2), (depth, 1), (0, 4), (width, 2), (height, 2),
                (8, 1), (0x20, 1))
            let packed = rows(isUpwards: false) { [0x80 + UInt8(width / 2 - 1), $0, 0x80 + UInt8(width / 2 - 1), $1] }
            let colors =
                depth == 16 ? GdkPixbufFile.little((0x7C00, 2), (0x3E0, 2), (0x1F, 2), (0x7FFF, 2)) : palette(3)
            return head + colors + (isPacked ? packed : numbers(isUpwards: false))
        }

        /// Returns a file with numbers as text, and no byte after the last number.
        static func textPNM() -> Data {
            let text = numbers(isUpwards: false).map { colors[Int($0)].map(String.init).joined(separator: " ") }
            return Data("P3 \(width) \(height) 255\n\(text.joined(separator: "\n"))".utf8)
        }

        /// Returns a file with a digit for every pixel, without separators; 1 is black.
        static func bitmapPNM() -> Data { Data("P1 8 4\n10101010010101011010101001010101".utf8) }
    }
#endif
