#if HEIF && JPEGXL && SVG && TIFF
    import Foundation

    /// An uncompressed TIFF in any layout of gray, RGB, CMYK and palettes.
    struct TIFFFile {
        var width: Int
        var height: Int
        /// TIFF's number of the meaning of a color: 0 white by 0, 1 black by 0, 2 RGB, 3 a palette, 5 CMYK.
        var photometric: Int
        var bits = 8
        /// TIFF's numbers of the samples after a color: 0 unspecified, 1 premultiplied alpha, 2 straight alpha.
        var extra: [Int] = []
        var isPlanar = false
        /// The side of the tiles, or `nil` for strips.
        var tile: Int?
        var rowsPerStrip = 3
        /// 256 reds, 256 greens and 256 blues.
        var palette: [Int] = []
        var profile = Data()
        var isSigned = false

        private var samples: Int { (photometric == 2 ? 3 : photometric == 5 ? 4 : 1) + extra.count }

        /// - Parameter pixel: The samples of a pixel.
        func encoded(_ pixel: (_ x: Int, _ y: Int) -> [Int]) -> Data {
            let blocks = (isPlanar ? (0..<samples).map { [$0] } : [Array(0..<samples)]).flatMap { planes in
                self.blocks.map { block($0.x, $0.y, $0.width, $0.height, planes, pixel) }
            }
            var (body, offsets) = (Data("II".utf8) + little([42], 2) + little([0], 4), [Int]())
            for block in blocks {
                offsets.append(body.count)
                body += block
            }
            var entries: [(tag: Int, type: Int, values: Data, count: Int)] = []
            func add(_ tag: Int, _ values: [Int], bytes: Int = 2) {
                entries.append((tag, bytes == 2 ? 3 : 4, little(values, bytes), values.count))
            }
            add(256, [width], bytes: 4)
            add(257, [height], bytes: 4)
            add(258, [Int](repeating: bits, count: samples))
            add(259, [1])
            add(262, [photometric])
            if tile == nil { add(273, offsets, bytes: 4) }
            add(277, [samples])
            if tile == nil {
                add(278, [rowsPerStrip], bytes: 4)
                add(279, blocks.map(\.count), bytes: 4)
            }
            add(284, [isPlanar ? 2 : 1])
            if !palette.isEmpty { add(320, palette) }
            if let tile {
                add(322, [tile], bytes: 4)
                add(323, [tile], bytes: 4)
                add(324, offsets, bytes: 4)
                add(325, blocks.map(\.count), bytes: 4)
            }
            if !extra.isEmpty { add(338, extra) }
            if isSigned { add(339, [Int](repeating: 2, count: samples)) }
            if !profile.isEmpty { entries.append((34675, 7, profile, profile.count)) }

            var directory = little([entries.count], 2)
            for entry in entries {
                directory += little([entry.tag, entry.type], 2) + little([entry.count], 4)
                if entry.values.count <= 4 {
                    directory += entry.values + Data(count: 4 - entry.values.count)
                } else {
                    directory += little([body.count], 4)
                    body += entry.values + Data(count: entry.values.count % 2)
                }
            }
            if body.count % 2 == 1 { body.append(0) }
            body.replaceSubrange(4..<8, with: little([body.count], 4))
            return body + directory + little([0], 4)
        }

        private var blocks: [(x: Int, y: Int, width: Int, height: Int)] {
            guard let tile else {
                return stride(from: 0, to: height, by: rowsPerStrip).map {
                    (0, $0, width, min(rowsPerStrip, height - $0))
                }
            }
            return stride(from: 0, to: height, by: tile).flatMap { y in
                stride(from: 0, to: width, by: tile).map { (x: $0, y: y, width: tile, height: tile) }
            }
        }

        private func block(
            _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ planes: [Int], _ pixel: (Int, Int) -> [Int]
        ) -> Data {
            var data = Data()
            for row in y..<y + height {
                for column in x..<x + width {
                    let isInside = column < self.width && row < self.height
                    let values = isInside ? pixel(column, row) : [Int](repeating: 77, count: samples)
                    data += little(planes.map { values[$0] }, bits / 8)
                }
            }
            return data
        }

        private func little(_ values: [Int], _ bytes: Int) -> Data {
            Data(values.flatMap { value in (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } })
        }
    }

    /// Small ICC profiles of version 2: primaries of sRGB, and a power as the curve.
    enum ICCFile {
        /// Exchanges red and green.
        static var swapped: Data {
            let (red, green, blue) = ([0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141])
            return profile(
                "RGB ",
                [("rXYZ", xyz(green)), ("gXYZ", xyz(red)), ("bXYZ", xyz(blue))]
                    + ["rTRC", "gTRC", "bTRC"].map { ($0, curve(2.2)) })
        }

        /// sRGB, if the code points are ignored.
        static func coded(primaries: UInt8, transfer: UInt8) -> Data {
            let (red, green, blue) = ([0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141])
            let points = Data("cicp".utf8) + Data([0, 0, 0, 0, primaries, transfer, 0, 1])
            return profile(
                "RGB ",
                [("cicp", points), ("rXYZ", xyz(red)), ("gXYZ", xyz(green)), ("bXYZ", xyz(blue))]
                    + ["rTRC", "gTRC", "bTRC"].map { ($0, curve(2.2)) })
        }

        static func gray(gamma: Double) -> Data { profile("GRAY", [("kTRC", curve(gamma))]) }

        private static func profile(_ space: String, _ tags: [(name: String, content: Data)]) -> Data {
            let tags = tags + [("wtpt", xyz([0.9642, 1, 0.8249]))]
            var (table, contents) = (big(tags.count, 4), Data())
            for (name, content) in tags {
                table += Data(name.utf8) + big(132 + 12 * tags.count + contents.count, 4) + big(content.count, 4)
                contents += content
            }
            var head = big(128 + table.count + contents.count, 4) + big(0, 4) + big(0x0210_0000, 4)
            head += Data("mntr\(space)XYZ ".utf8) + Data(count: 12) + Data("acsp".utf8) + Data(count: 28)
            head += big(63190, 4) + big(65536, 4) + big(54061, 4)
            return head + Data(count: 128 - head.count) + table + contents
        }

        private static func xyz(_ values: [Double]) -> Data {
            values.reduce(Data("XYZ ".utf8) + big(0, 4)) { $0 + big(Int(($1 * 65536).rounded()), 4) }
        }

        private static func curve(_ gamma: Double) -> Data {
            Data("curv".utf8) + big(0, 4) + big(1, 4) + big(Int((gamma * 256).rounded()), 2) + big(0, 2)
        }

        private static func big(_ value: Int, _ bytes: Int) -> Data {
            Data((0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
        }
    }
#endif
