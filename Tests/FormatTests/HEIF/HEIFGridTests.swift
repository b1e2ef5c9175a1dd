#if HEIF && JPEGXL && SVG && TIFF
    import CHEIF
    import CalotypeCodecs
    import Foundation
    import TestSupport
    import Testing

    /// Grids are decoded tile by tile. Pixels are compared with those of libheif, which decodes the whole image.
    @Suite struct HEIFGridTests {
        /// The size in pixels of images, whose grids have 2 tiles to 48.
        static let sizes = [(64, 128), (128, 64), (128, 128), (100, 90), (130, 65), (511, 383), (65, 321)]

        @Test(arguments: sizes)
        func `a grid has the pixels that libheif decodes at once`(width: Int, height: Int) throws {
            let file = try HEIFGridFile.drawn(Drawings.gradient(width, height)).data
            let whole = try HEIFFile.decodedWhole(file)
            let bitmap = try file.decodedHere()
            #expect(bitmap.size == PixelSize(width: width, height: height) && !bitmap.hasAlpha)
            #expect(bitmap.worstDistance(to: whole) <= 1)
        }

        @Test(arguments: 0..<4 as Range<UInt8>, [nil, 0, 1] as [UInt8?])
        func `a grid is turned and mirrored by its properties, not by EXIF`(turns: UInt8, axis: UInt8?) throws {
            var grid = try HEIFGridFile.drawn(Drawings.gradient(150, 90))
            grid.properties = [HEIFGridFile.irot(turns)] + (axis.map { [HEIFGridFile.imir($0)] } ?? [])
            grid.exifOrientation = 6
            let (file, whole) = (grid.data, try HEIFFile.decodedWhole(grid.data))
            #expect(try DecoderRegistry.standard.header(of: file).uprightSize == whole.size)
            #expect(try file.decodedHere().worstDistance(to: whole) <= 1)
            let target = ResizeTarget(width: 40)
            let small = try file.decodedHere(target)
            #expect(try small.width == 40 && small.worstDistance(to: whole.scaled(to: small.size)) <= 2)
            #expect(try Self.isDecodedInTiles(file))
        }

        @Test func `a mirror without a turn applies`() throws {
            for axis in [0, 1] as [UInt8] {
                var grid = try HEIFGridFile.drawn(Drawings.quarters(128, 90))
                grid.properties = [HEIFGridFile.imir(axis)]
                #expect(try grid.data.decodedHere().worstDistance(to: HEIFFile.decodedWhole(grid.data)) <= 1)
            }
        }

        @Test(arguments: [1, 7, 33, 64, 99, 128, 200, 255])
        func `a grid is scaled as the whole image is`(width: Int) throws {
            let file = try HEIFGridFile.drawn(Drawings.noise(256, 200)).data
            let target = ResizeTarget(width: width)
            let bitmap = try file.decodedHere(target)
            let whole = try HEIFFile.decodedWhole(file).scaled(to: bitmap.size)
            #expect(bitmap.width == width && bitmap.worstDistance(to: whole) <= 2)
        }

        @Test(arguments: [
            heif_transfer_characteristic_ITU_R_BT_2100_0_PQ, heif_transfer_characteristic_ITU_R_BT_709_5,
        ])
        func `a grid of 10 bits has the pixels that libheif decodes at once`(
            transfer: heif_transfer_characteristics
        ) throws {
            let grid = try HEIFGridFile.of(PixelSize(width: 150, height: 100)) { place in
                try HEIFFile.deep(PixelSize(width: 64, height: 64), transfer) {
                    UInt16(4 * (place.x + $0) + place.y + $1)
                }
            }
            let header = try DecoderRegistry.standard.header(of: grid.data)
            #expect(header.bitsPerSample == 10)
            #expect(try Self.isDecodedInTiles(grid.data))
            // libheif does not map PQ: a file of one tile, which is decoded whole, has the same pixels.
            let bitmap = try grid.data.decodedHere()
            for (index, tile) in grid.tiles.enumerated() {
                let (left, top) = (64 * (index % grid.columns), 64 * (index / grid.columns))
                let part = try bitmap.cropped(to: PixelRect(x: left, y: top, width: 64, height: 64))
                #expect(try part.worstDistance(to: tile.file.decodedHere()) <= 1)
            }
        }

        @Test func `a grid of AV1 has the pixels that libheif decodes at once`() throws {
            let file = try HEIFGridFile.drawn(Drawings.gradient(150, 90), heif_compression_AV1).data
            #expect(try DecoderRegistry.standard.header(of: file).format == .heic)
            #expect(try Self.isDecodedInTiles(file))
            #expect(try file.decodedHere().worstDistance(to: HEIFFile.decodedWhole(file)) <= 1)
        }

        @Test func `tiles in the idat box are found`() throws {
            var grid = try HEIFGridFile.drawn(Drawings.gradient(150, 90))
            grid.hasTilesInIdat = true
            #expect(try Self.isDecodedInTiles(grid.data))
            #expect(try grid.data.decodedHere().worstDistance(to: HEIFFile.decodedWhole(grid.data)) <= 1)
        }

        // MARK: - Memory

        @Test(arguments: [(7008, 4672), (8064, 6048), (8160, 6144), (8640, 5760)], [8, 10])
        func `a photograph of 33 to 50 megapixels takes less than a server of 1 GB has for decodes`(
            size: (Int, Int), bits: Int
        ) throws {
            let file = try Self.announcing(PixelSize(width: size.0, height: size.1), bits: bits)
            for target in [ResizeTarget(width: 1024), ResizeTarget(width: 4096)] {
                let plan = try DecoderRegistry.standard.plan(for: file, target: target)
                #expect(plan.header.bitsPerSample == bits)
                #expect(plan.cost < 200_000_000, "\(plan.cost)")
            }
            let small = try DecoderRegistry.standard.plan(for: file, target: ResizeTarget(width: 1024))
            #expect(small.cost < 50_000_000, "\(small.cost)")
        }

        @Test func `limits of pixels hold for grids`() throws {
            let file = try Self.announcing(PixelSize(width: 8640, height: 5760), bits: 8)
            var limits = DecodeLimits()
            limits.maxPixels = 8640 * 5760 - 1
            let error = #expect(throws: CodecError.self) {
                try DecoderRegistry.standard.plan(for: file, target: ResizeTarget(width: 100), limits: limits)
            }
            #expect(error?.code == .tooLarge)
            limits.maxPixels += 1
            _ = try DecoderRegistry.standard.plan(for: file, target: ResizeTarget(width: 100), limits: limits)
        }

        /// Returns a file whose header is a photograph's, and whose tiles of 512 × 512 pixels are a few bytes.
        private static func announcing(_ size: PixelSize, bits: Int) throws -> Data {
            let tile = PixelSize(width: 512, height: 512)
            let coded =
                bits == 8
                ? try HEIFFile.encoded(Drawings.gradient(512, 512))
                : try HEIFFile.deep(tile, heif_transfer_characteristic_ITU_R_BT_709_5) { x, _ in UInt16(x) }
            let stub = try #require(coded.boxContent("hvcC")).asBox("hvcC") + Data([1, 2, 3, 4]).asBox("mdat")
            let columns = (size.width + 511) / 512, rows = (size.height + 511) / 512
            let part = HEIFGridFile.Coded(file: stub, size: tile)
            let tiles = [HEIFGridFile.Coded](repeating: part, count: columns * rows)
            return HEIFGridFile(size: size, columns: columns, tiles: tiles).data
        }

        /// Whether the decode of a file takes less memory than that of the whole image.
        static func isDecodedInTiles(_ file: Data) throws -> Bool {
            let plan = try Damage.decoders.plan(for: file, target: ResizeTarget(width: 1))
            let pixels = 4 * plan.header.width * plan.header.height
            return plan.cost < (plan.header.bitsPerSample > 8 ? 4 : 2) * pixels
        }

        // MARK: - Other files

        @Test func `a grid that is cropped, has alpha, or is turned in another order is decoded at once`() throws {
            let drawn = try HEIFGridFile.drawn(Drawings.gradient(128, 128))
            let alpha = HEIFGridFile.Coded(
                file: try HEIFFile.encoded(Drawings.plain(128, 128, (99, 99, 99, 255))), size: drawn.size)
            let clap = [100, 1, 90, 1, 0, 1, 0, 1].map(HEIFGridFile.number).joined()
            var grids = [HEIFGridFile](repeating: drawn, count: 5)
            grids[0].properties = [HEIFGridFile.box("clap", Data(clap))]
            grids[1].alpha = alpha
            grids[2].properties = [HEIFGridFile.imir(1), HEIFGridFile.irot(1)]
            grids[3].tileProperties = [HEIFGridFile.irot(2)]
            // Tiles that share their bytes.
            grids[4].sharesTile = true
            for (index, grid) in grids.enumerated() {
                let bitmap = try grid.data.decodedHere()
                #expect(try !Self.isDecodedInTiles(grid.data), "\(index)")
                #expect(try bitmap.worstDistance(to: HEIFFile.decodedWhole(grid.data)) <= 1, "\(index)")
            }
            #expect(try grids[1].data.decodedHere().hasAlpha)
        }

        @Test func `a photograph that shares its gain map, thumbnail and EXIF with an HDR variant is decoded`() throws {
            let drawn = try HEIFGridFile.drawn(Drawings.gradient(256, 192))
            var grid = drawn
            grid.exifOrientation = 6
            grid.gainMap = HEIFGridFile.Coded(
                file: try HEIFFile.encoded(Drawings.plain(128, 96, (99, 99, 99, 255))),
                size: PixelSize(width: 128, height: 96))
            grid.thumbnail = HEIFGridFile.Coded(
                file: try HEIFFile.encoded(Drawings.gradient(128, 96)), size: PixelSize(width: 128, height: 96))
            #expect(try Self.isDecodedInTiles(grid.data))
            #expect(try grid.data.decodedHere().worstDistance(to: drawn.data.decodedHere()) == 0)
            #expect(try grid.data.decodedHere(ResizeTarget(width: 40)).size == PixelSize(width: 40, height: 30))
            #expect(try grid.data.decoded().worstDistance(to: drawn.data.decodedHere()) == 0)
        }

        @Test func `an alpha image that is shared with an HDR variant is never left out`() throws {
            var grid = try HEIFGridFile.drawn(Drawings.gradient(128, 128))
            let plain = HEIFGridFile.Coded(
                file: try HEIFFile.encoded(Drawings.plain(128, 128, (99, 99, 99, 255))), size: grid.size)
            (grid.alpha, grid.gainMap, grid.sharesAlpha) = (plain, plain, true)
            do {
                #expect(try grid.data.decodedHere().hasAlpha)
            } catch {
                // By libheif before 1.18.
                #expect(error.code == .damaged, "\(error)")
            }
        }

        @Test func `a grid with too few tiles, too many, or with tiles of two sizes is not decoded in tiles`() throws {
            let drawn = try HEIFGridFile.drawn(Drawings.gradient(128, 128))
            var grids = [HEIFGridFile](repeating: drawn, count: 4)
            grids[0].tiles.removeLast()
            grids[0].columns = 3
            grids[1].tiles += grids[1].tiles
            grids[2].size = PixelSize(width: 129, height: 128)
            let large = try HEIFFile.encoded(Drawings.gradient(128, 128))
            grids[3].tiles[3] = HEIFGridFile.Coded(file: large, size: PixelSize(width: 128, height: 128))
            for (index, grid) in grids.enumerated() {
                do {
                    #expect(try !Self.isDecodedInTiles(grid.data), "\(index)")
                    #expect(try grid.data.decodedHere().size == grid.size, "\(index)")
                } catch let error as CodecError {
                    #expect(error.code == .damaged, "\(error)")
                }
            }
        }
    }

    extension Data {
        /// Decodes in this process.
        func decodedHere(_ target: ResizeTarget? = nil) throws(CodecError) -> Bitmap {
            try Damage.decoders.decode(self, target: target)
        }

        func asBox(_ type: String) -> Data { HEIFGridFile.box(type, self) }
    }
#endif
