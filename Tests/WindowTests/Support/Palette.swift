#if GTK
    import CalotypeBase
    import CalotypeCodecs
    import Foundation

    /// The colors of test photos, one for each row, so that a photo in the wrong row has a wrong color.
    enum Palette {
        /// Returns 0xRRGGBB: a different color for each of 4,096 rows, and never black, white or grey.
        static func color(_ row: Int) -> UInt32 {
            let (red, green, blue) = (row & 15, row >> 4 & 15, row >> 8 & 15)
            return UInt32(red * 12 + 60) << 16 | UInt32(green * 12 + 20) << 8 | UInt32(blue * 12 + 10)
        }

        /// Returns 0xRRGGBB: adjacent rows differ so much that a color that fades in from grey matches no other.
        static func vivid(_ row: Int) -> UInt32 {
            let (step, full) = (row % 18, 255 - row / 18 % 12 * 5)
            let part = step % 3 * 85
            let (red, green, blue) =
                switch step / 3 {
                case 0: (full, part, 0)
                case 1: (full - part, full, 0)
                case 2: (0, full, part)
                case 3: (0, full - part, full)
                case 4: (part, 0, full)
                default: (full, 0, full - part)
                }
            return UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
        }

        /// Returns the name of a vivid color.
        static func name(_ row: Int) -> String {
            ["red", "yellow", "green", "cyan", "blue", "magenta"][row % 18 / 3]
        }

        static func bitmap(_ color: UInt32, width: Int = 8, height: Int = 8) throws(CodecError) -> Bitmap {
            try Bitmap(width: width, height: height, hasAlpha: false) { pixels, _ in
                for offset in Swift.stride(from: 0, to: pixels.count, by: 4) {
                    pixels.storeBytes(of: 0xFF00_0000 | color, toByteOffset: offset, as: UInt32.self)
                }
            }
        }

        /// Returns the color of the first pixel.
        static func color(of bitmap: Bitmap) -> UInt32 {
            bitmap.withUnsafeBytes { $0.load(as: UInt32.self) & 0xFF_FFFF }
        }

        private static let squares = Locked([SIMD2<UInt32>: Data]())

        /// Returns a PNG in one color, encoded once: a large square takes a while.
        static func square(_ color: UInt32, _ side: Int) throws(CodecError) -> Data {
            let key = SIMD2(color, UInt32(side))
            if let known = squares.withLock({ $0[key] }) { return known }
            let png = try png(color, width: side, height: side)
            squares.withLock { $0[key] = png }
            return png
        }

        static func png(_ color: UInt32, width: Int = 8, height: Int = 8) throws(CodecError) -> Data {
            try bitmap(color, width: width, height: height).encoded(as: .png)
        }
    }
#endif
