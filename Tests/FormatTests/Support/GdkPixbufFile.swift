#if HEIF && JPEGXL && SVG && GdkPixbuf
    import CalotypeCodecs
    import Foundation

    /// Files with 24 bits per pixel, without compression.
    enum GdkPixbufFile {
        static func bmp(_ bitmap: Bitmap) -> Data {
            let pixels = rows(bitmap, isBlueFirst: true, isUpwards: true, alignment: 4)
            return Data("BM".utf8) + little((54 + pixels.count, 4), (0, 4), (54, 4)) + info(bitmap, rows: bitmap.height)
                + pixels
        }

        static func ico(_ bitmaps: [Bitmap]) -> Data { ico(bitmaps.map { ($0.width, dib($0)) }) }

        static func ico(_ images: [(width: Int, content: Data)]) -> Data {
            var (directory, contents) = (little((0, 2), (1, 2), (images.count, 2)), Data())
            for (width, content) in images {
                directory += little((width % 256, 1), (0, 3), (1, 2), (24, 2), (content.count, 4))
                directory += little((6 + 16 * images.count + contents.count, 4))
                contents += content
            }
            return directory + contents
        }

        /// Returns the bitmap of an icon, with a mask that makes all of it opaque.
        static func dib(_ bitmap: Bitmap) -> Data {
            info(bitmap, rows: 2 * bitmap.height) + rows(bitmap, isBlueFirst: true, isUpwards: true, alignment: 4)
                + Data(count: (bitmap.width + 31) / 32 * 4 * bitmap.height)
        }

        static func tga(_ bitmap: Bitmap) -> Data {
            little((0, 2), (2, 1), (0, 5), (0, 4), (bitmap.width, 2), (bitmap.height, 2), (24, 1), (0x20, 1))
                + rows(bitmap, isBlueFirst: true)
        }

        static func pnm(_ bitmap: Bitmap) -> Data {
            Data("P6\n# a comment\n\(bitmap.width) \(bitmap.height)\n255\n".utf8) + rows(bitmap)
        }

        /// - Parameter isBig: Whether to write a BigTIFF, with offsets of eight bytes.
        static func tiff(
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

        static func info(_ bitmap: Bitmap, rows: Int) -> Data {
            little(
                (40, 4), (bitmap.width, 4), (rows, 4), (1, 2), (24, 2), (0, 4), (0, 4), (0, 4), (0, 4), (0, 4), (0, 4))
        }

        static func rows(
            _ bitmap: Bitmap, isBlueFirst: Bool = false, isUpwards: Bool = false, alignment: Int = 1
        ) -> Data {
            var data = Data()
            for y in 0..<bitmap.height {
                var row = Data()
                for x in 0..<bitmap.width {
                    let (red, green, blue, _) = bitmap.pixel(x, isUpwards ? bitmap.height - 1 - y : y)
                    row += isBlueFirst ? [blue, green, red] : [red, green, blue]
                }
                data += row + Data(count: (alignment - row.count % alignment) % alignment)
            }
            return data
        }

        static func little(_ numbers: (value: Int, bytes: Int)...) -> Data {
            numbers.reduce(Data()) { data, number in
                data + (0..<number.bytes).map { UInt8(truncatingIfNeeded: number.value >> (8 * $0)) }
            }
        }
    }
#endif
