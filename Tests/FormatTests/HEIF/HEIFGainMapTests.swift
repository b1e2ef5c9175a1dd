#if HEIF && JPEGXL && SVG && TIFF
    import CalotypeCodecs
    import Foundation
    import TestSupport
    import Testing

    /// The gain maps of HEIC: by ISO 21496-1, and Apple's. Results are JPEGs, in which the map is an image of its own.
    @Suite struct HEIFGainMapTests {
        /// The map has the light of its base, so that both look the same.
        private static func light(_ width: Int, _ height: Int) throws(CodecError) -> Bitmap {
            try Drawings.drawn(width, height) { x, y in
                let (x, y) = ((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
                let value = UInt8(60 + 150 * x * (1 - y) + 40 * sin(9 * x + 5 * y * y) * sin(7 * y))
                return (value, value, value, 255)
            }
        }

        private static func image(_ bitmap: Bitmap, isGray: Bool = true) throws -> GainMapItems.Image {
            let file = isGray ? try HEIFFile.encodedGray(bitmap) : try HEIFFile.encoded(bitmap)
            return GainMapItems.Image(file, width: bitmap.width, height: bitmap.height)
        }

        /// From 0 to 2 stops.
        private static let iso: [UInt8] = {
            let numbers: [(UInt8, UInt8)] = [(0, 1), (2, 1), (0, 1), (2, 1), (1, 1), (1, 64), (1, 64)]
            return [0, 0, 0, 0, 0x40] + numbers.flatMap { [0, 0, 0, $0.0, 0, 0, 0, $0.1] }
        }()

        private static func make(ratio: Int = 2) throws -> GainMapItems {
            GainMapItems(
                base: try image(light(256, 192), isGray: false), map: try image(light(256 / ratio, 192 / ratio)),
                iso: Data(iso))
        }

        /// Returns base and map of a result.
        private func result(
            of file: Data, width: Int? = nil
        ) throws -> (base: Bitmap, map: Bitmap, source: GainMapSource) {
            let target = width.map { ResizeTarget(width: $0) }
            let plan = try DecoderRegistry.standard.plan(for: file, target: MapLayout(target: target))
            let bitmap = try plan.decode()
            #expect(bitmap.heldBytes <= plan.cost && plan.gainMapBytes > 0)
            let jpeg = try bitmap.encoded(as: .jpeg(quality: 95))
            let source = try #require(try GainMap.source(in: jpeg))
            return (bitmap, try jpeg[try #require(source.range)].decodedHere(), source)
        }

        private func expectTwins(_ result: (base: Bitmap, map: Bitmap, source: GainMapSource)) throws {
            #expect(abs(result.map.width * 2 - result.base.width) <= 2)
            let base = try result.base.scaled(to: result.map.size, filter: .box)
            #expect(result.map.worstDistance(to: base) <= 24)
        }

        @Test func `a HEIC with a derived image keeps its map`() throws {
            let file = try Self.make().data
            let source = try #require(try GainMap.source(in: file))
            #expect(source.dialect == .iso && source.isGray && source.size == PixelSize(width: 128, height: 96))
            try expectTwins(result(of: file))
            try expectTwins(result(of: file, width: 100))
        }

        @Test(arguments: 0..<4 as Range<UInt8>, [nil, 0, 1] as [UInt8?])
        func `the map of a HEIC is turned as its base is`(turns: UInt8, axis: UInt8?) throws {
            var file = try Self.make()
            file.base.properties = [GainMapItems.irot(turns)] + (axis.map { [GainMapItems.imir($0)] } ?? [])
            file.map.properties = file.base.properties
            try expectTwins(result(of: file.data, width: turns % 2 == 0 ? nil : 90))
        }

        @Test func `the map of a HEIC is cropped as its base is`() throws {
            var file = try Self.make()
            file.base.properties = [GainMapItems.clap(width: 160, height: 100, x: (20, 1)), GainMapItems.irot(1)]
            file.map.properties = [GainMapItems.clap(width: 80, height: 50, x: (10, 1)), GainMapItems.irot(1)]
            let result = try result(of: file.data)
            #expect(result.base.size == PixelSize(width: 100, height: 160))
            try expectTwins(result)
        }

        @Test func `a map in tiles of HEVC is one image`() throws {
            let map = try Self.light(128, 96)
            var file = try Self.make()
            file.map.tiles = try (0..<4).map { index in
                let tile = PixelRect(x: 64 * (index % 2), y: 64 * (index / 2), width: 64, height: 64)
                // The last tiles reach beyond the map.
                return try HEIFFile.encodedGray(
                    Drawings.drawn(64, 64) { x, y in map.pixel(tile.x + x, min(tile.y + y, 95)) })
            }
            (file.map.columns, file.map.tileSize) = (2, (64, 64))
            try expectTwins(result(of: file.data))
        }

        @Test func `Apple's map in a HEIC is recomputed`() throws {
            var file = try Self.make()
            (file.isApples, file.iso) = (true, nil)
            file.xmp = Data(
                "<x xmlns:h='http://ns.apple.com/HDRGainMap/1.0/' h:HDRGainMapHeadroom='4'>GainMap</x>".utf8)
            let result = try result(of: file.data)
            #expect(try GainMap.source(in: file.data)?.dialect == .apple)
            #expect(result.source.dialect == .iso && result.source.numbers.alternateHeadroom == 2)
            // Half of the stored range is a fifth of the light, and 0.7 of two stops: log2(1 + 3 * 0.26) / 2.
            let plain = try Self.light(128, 96)
            for (x, y) in [(10, 10), (64, 48), (100, 20)] {
                let signal = Double(plain.pixel(x, y).green) / 255
                let light = pow((signal + 0.099) / 1.099, 1 / 0.45)
                #expect(abs(Double(result.map.pixel(x, y).green) - 255 * log2(1 + 3 * light) / 2) <= 6)
            }
        }

        @Test func `a worker decodes the map of a HEIC, too`() throws {
            let isolated = DecoderRegistry.standard.isolated(in: DecoderWorkers(limit: 1))
            let file = try Self.make().data
            let bitmaps = try [isolated, .standard].map { registry in
                try registry.plan(for: file, target: MapLayout()).decode().encoded(as: .jpeg(quality: 90))
            }
            #expect(bitmaps[0] == bitmaps[1])
        }
    }
#endif
