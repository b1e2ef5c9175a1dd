#if HEIF && JPEGXL && SVG && TIFF
    import Foundation

    /// A TrueType font in which each letter is a box: its width and height tell in which font a text was drawn.
    struct SampleFont {
        var family: String
        var weight = 400
        var isItalic = false
        /// The size of the box, in thousandths of the font's size.
        var box: (width: Int, height: Int)

        private var style: String {
            let name = weight == 400 ? "" : weight == 700 ? "Bold" : "W\(weight)"
            let slant = isItalic ? "Italic" : ""
            return name + slant == "" ? "Regular" : name + slant
        }

        var fileName: String { "\(family) \(style).ttf" }

        /// The bytes of the file: a directory of tables, then the tables in the order of their names.
        var file: Data {
            let tables: [(name: String, bytes: [UInt8])] = [
                ("OS/2", os2), ("cmap", cmap), ("glyf", outline), ("head", head), ("hhea", hhea), ("hmtx", hmtx),
                ("loca", loca), ("maxp", maxp), ("name", names), ("post", be(0x3_0000, 0) + zeros(24)),
            ]
            var directory = be(0x1_0000) + be16(tables.count, 128, 3, 16 * tables.count - 128)
            var body: [UInt8] = []
            for (name, bytes) in tables {
                let offset = 12 + 16 * tables.count + body.count
                directory += Array(name.utf8) + be(0, offset, bytes.count)
                body += bytes + zeros((4 - bytes.count % 4) % 4)
            }
            return Data(directory + body)
        }

        // MARK: - Tables

        private var head: [UInt8] {
            let style = (weight >= 600 ? 1 : 0) | (isItalic ? 2 : 0)
            return be(0x1_0000, 0x1_0000, 0, 0x5F0F_3CF5) + be16(3, 1000) + zeros(16)
                + be16(100, 0, 100 + box.width, box.height, style, 8, 2, 1, 0)
        }

        private var hhea: [UInt8] { be(0x1_0000) + be16(900, -200, 0, 1000) + zeros(22) + be16(3) }

        private var maxp: [UInt8] { be(0x1_0000) + be16(3, 4, 1, 0, 0, 1) + zeros(16) }

        /// The missing glyph, the space, and the box.
        private var hmtx: [UInt8] { be16(500, 0, 300, 0, 1000, 100) }

        private var loca: [UInt8] { be(0, 0, 0, outline.count) }

        private var outline: [UInt8] {
            // One contour of four points, all on the curve, then their steps in x and in y.
            be16(1, 100, 0, 100 + box.width, box.height, 3, 0) + [1, 1, 1, 1]
                + be16(100, 0, box.width, 0, 0, box.height, 0, -box.height) + [0, 0]
        }

        /// Maps the space to glyph 1, and all printable characters of Latin-1 to glyph 2.
        private var cmap: [UInt8] {
            let (first, last) = ([0x20, 0xA1, 0xFFFF], [0x7E, 0xFF, 0xFFFF])
            let glyphs = [1] + Array(repeating: 2, count: 0x7E - 0x20 + 0xFF - 0xA0)
            let table =
                be16(6, 4, 1, 2) + be16(list: last) + be16(0) + be16(list: first) + be16(0, 0, 1)
                + be16(6, 4 + 2 * (0x7E - 0x20 + 1), 0) + be16(list: glyphs)
            return be16(0, 1, 3, 1) + be(12) + be16(4, 4 + table.count + 2, 0) + table
        }

        private var os2: [UInt8] {
            let selection = (isItalic ? 1 : 0) | (weight >= 600 ? 0x20 : 0) | (weight == 400 && !isItalic ? 0x40 : 0)
            return be16(3, 600, weight, 5, 0) + zeros(22) + zeros(10) + be(1, 0, 0, 0) + Array("CALO".utf8)
                + be16(selection, 0x20, 0xFF, 900, -200, 0, 900, 200) + be(1, 0) + be16(500, 700, 0, 0x20, 1)
        }

        private var names: [UInt8] {
            let postScript = "\(family)-\(style)".replacing(" ", with: "")
            let texts = [(1, family), (2, style), (4, "\(family) \(style)"), (6, postScript)]
            var (records, strings): ([UInt8], [UInt8]) = ([], [])
            for (number, text) in texts {
                let bytes = text.utf16.flatMap { be16(Int($0)) }
                records += be16(3, 1, 0x409, number, bytes.count, strings.count)
                strings += bytes
            }
            return be16(0, texts.count, 6 + records.count) + records + strings
        }

        // MARK: - Numbers

        private func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

        private func be16(_ numbers: Int...) -> [UInt8] { be16(list: numbers) }

        private func be16(list: [Int]) -> [UInt8] {
            list.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        }

        private func be(_ numbers: Int...) -> [UInt8] { numbers.flatMap { be16($0 >> 16, $0) } }
    }
#endif
