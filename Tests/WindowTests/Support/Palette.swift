#if GTK
    import CalotypeCodecs
    import Foundation

    /// Photos in one colour each, so that a wrong row is a wrong colour.
    enum Palette {
        /// 0xRRGGBB: another one for each of 4,096 rows, and black, white or grey for none.
        static func colour(_ row: Int) -> UInt32 {
            let (red, green, blue) = (row & 15, row >> 4 & 15, row >> 8 & 15)
            return UInt32(red * 12 + 60) << 16 | UInt32(green * 12 + 20) << 8 | UInt32(blue * 12 + 10)
        }

        static func bitmap(_ colour: UInt32, width: Int = 8, height: Int = 8) throws(CodecError) -> Bitmap {
            try Bitmap(width: width, height: height, hasAlpha: false) { pixels, _ in
                for offset in Swift.stride(from: 0, to: pixels.count, by: 4) {
                    pixels.storeBytes(of: 0xFF00_0000 | colour, toByteOffset: offset, as: UInt32.self)
                }
            }
        }

        /// Of the first pixel.
        static func color(of bitmap: Bitmap) -> UInt32 {
            bitmap.withUnsafeBytes { $0.load(as: UInt32.self) & 0xFF_FFFF }
        }

        static func png(_ colour: UInt32, width: Int = 8, height: Int = 8) throws(CodecError) -> Data {
            try bitmap(colour, width: width, height: height).encoded(as: .png)
        }
    }
#endif
