#if HEIF && JPEGXL && SVG && TIFF
    import CalotypeCodecs
    import Foundation

    /// A TIFF of RGB with 8 bits, perhaps with alpha, in one strip without compression.
    enum PlainTIFF {
        /// - Parameter isBig: Whether to write a BigTIFF, with offsets of eight bytes.
        static func encoded(
            _ bitmap: Bitmap, orientation: Int = 1, hasAlpha: Bool = false, isBig: Bool = false
        ) -> Data {
            let pixels = hasAlpha ? Data(bitmap.straightRGBA(hasAlpha: true)) : rows(bitmap)
            let (samples, start, word) = isBig ? (hasAlpha ? 4 : 3, 16, 8) : (hasAlpha ? 4 : 3, 8, 4)
            let tags =
                [
                    (256, 4, bitmap.width), (257, 4, bitmap.height), (258, 3, 8), (259, 3, 1), (262, 3, 2),
                    (273, 4, start),
                    (274, 3, orientation), (277, 3, samples), (278, 4, bitmap.height), (279, 4, pixels.count),
                ] + (hasAlpha ? [(338, 3, 2)] : [])
            let directory = start + pixels.count
            let head = isBig ? little((43, 2), (8, 4), (directory, 8)) : little((42, 2), (directory, 4))
            var file = Data("II".utf8) + head + pixels + little((tags.count, isBig ? 8 : 2))
            let bits = little((8, 2), (8, 2), (8, 2), (hasAlpha ? 8 : 0, 2))
            for (tag, type, value) in tags {
                file += little((tag, 2), (type, 2), (tag == 258 ? samples : 1, word))
                // Eight bits per sample: values that do not fit into the entry follow the directory.
                let behind = directory + 2 + 12 * tags.count + 4
                file += tag == 258 ? isBig ? bits : little((behind, 4)) : little((value, word))
            }
            return file + little((0, word)) + (isBig ? Data() : bits.prefix(2 * samples))
        }

        private static func rows(_ bitmap: Bitmap) -> Data {
            Data(
                (0..<bitmap.height).flatMap { y in
                    (0..<bitmap.width).flatMap { x -> [UInt8] in
                        let (red, green, blue, _) = bitmap.pixel(x, y)
                        return [red, green, blue]
                    }
                })
        }

        static func little(_ numbers: (value: Int, bytes: Int)...) -> Data {
            numbers.reduce(Data()) { data, number in
                data + (0..<number.bytes).map { UInt8(truncatingIfNeeded: number.value >> (8 * $0)) }
            }
        }
    }
#endif
