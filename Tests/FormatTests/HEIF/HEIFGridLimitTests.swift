#if HEIF && JPEGXL && SVG && TIFF
    import CalotypeCodecs
    import Foundation
    import TestSupport
    import Testing

    /// Files at and beyond the limits of what is decoded in tiles.
    @Suite struct HEIFGridLimitTests {
        @Test func `a tile that is a grid itself is decoded with the whole image`() throws {
            var grid = try HEIFGridFile.drawn(Drawings.gradient(128, 128))
            grid.firstTileParts = [2]
            #expect(try !HEIFGridTests.isDecodedInTiles(grid.data))
            #expect(try grid.data.decodedHere().worstDistance(to: HEIFFile.decodedWhole(grid.data)) <= 1)
        }

        @Test(arguments: [1, 5]) func `a tile that is made of itself, or of the image, is damage`(part: Int) throws {
            var grid = try HEIFGridFile.drawn(Drawings.gradient(128, 128))
            grid.firstTileParts = [part]
            let error = #expect(throws: CodecError.self) { try DecoderRegistry.standard.header(of: grid.data) }
            #expect(error?.code == .damaged && error?.message.contains("made of itself") == true)
        }

        @Test(arguments: [(31, true), (32, true), (33, false)])
        func `a tile in 32 extents is decoded, and one in more is refused`(count: Int, isAccepted: Bool) throws {
            let drawn = try HEIFGridFile.drawn(Drawings.gradient(128, 128))
            var grid = drawn
            grid.secondExtents = count
            if isAccepted {
                #expect(try HEIFGridTests.isDecodedInTiles(grid.data))
                #expect(try grid.data.decodedHere().worstDistance(to: drawn.data.decodedHere()) == 0)
            } else {
                let error = #expect(throws: CodecError.self) { try grid.data.decodedHere() }
                #expect([.damaged, .tooLarge].contains(error?.code))
            }
        }

        @Test(arguments: [(64, true), (65, false)])
        func `a tile with more than 64 properties is decoded with the whole image`(
            count: Int, isInTiles: Bool
        ) throws {
            let drawn = try HEIFGridFile.drawn(Drawings.gradient(128, 128))
            let own = drawn.tiles[0].file.boxContent("colr") == nil ? 2 : 3
            var grid = drawn
            grid.tileProperties = [Data](repeating: Data().asBox("abcd"), count: count - own)
            #expect(try HEIFGridTests.isDecodedInTiles(grid.data) == isInTiles)
            #expect(try grid.data.decodedHere().worstDistance(to: HEIFFile.decodedWhole(grid.data)) <= 1)
        }

        @Test(arguments: [(1 << 16, true), (1 << 16 + 1, false)])
        func `a tile with a longer configuration than 64 KiB is decoded with the whole image`(
            count: Int, isInTiles: Bool
        ) throws {
            var grid = try HEIFGridFile.drawn(Drawings.gradient(128, 128))
            grid.tiles = try grid.tiles.map { tile in
                let configuration = try #require(tile.file.boxContent("hvcC"))
                let content = try #require(tile.file.boxContent("mdat"))
                let long = configuration + Data(count: count - configuration.count)
                return HEIFGridFile.Coded(file: long.asBox("hvcC") + content.asBox("mdat"), size: tile.size)
            }
            // A file of small tiles whose configuration exceeds them by far takes more memory in tiles.
            let bitmap = try grid.data.decodedHere()
            #expect(try bitmap.worstDistance(to: HEIFFile.decodedWhole(grid.data)) <= 1)
            #expect(try HEIFGridTests.isDecodedInTiles(grid.data) == isInTiles)
        }

        @Test(arguments: [(16, 200, true), (17, 256, true), (17, 255, false)])
        func `tiles of more than 4 MiB, most of which is outside the image, are decoded with the whole image`(
            columns: Int, height: Int, isInTiles: Bool
        ) throws {
            let coded = HEIFGridFile.Coded(
                file: try HEIFFile.encoded(Drawings.gradient(64, 1024)), size: PixelSize(width: 64, height: 1024))
            let grid = HEIFGridFile(
                size: PixelSize(width: 64 * columns, height: height), columns: columns,
                tiles: [HEIFGridFile.Coded](repeating: coded, count: columns))
            #expect(try HEIFGridTests.isDecodedInTiles(grid.data) == isInTiles)
            #expect(try grid.data.decodedHere().worstDistance(to: HEIFFile.decodedWhole(grid.data)) <= 1)
        }

        @Test func `a tile that is larger than its size is damage`() throws {
            var grid = try HEIFGridFile.drawn(Drawings.gradient(128, 128))
            for side in [65, 128, 2048] {
                let large = try HEIFFile.encoded(Drawings.plain(side, side, (9, 99, 199, 255)))
                grid.tiles[1] = HEIFGridFile.Coded(file: large, size: grid.tiles[0].size)
                let file = grid.data
                let error = #expect(throws: CodecError.self) { try file.decodedHere() }
                #expect(error?.code == .damaged, "\(side): \(error?.message ?? "")")
            }
        }

        @Test(arguments: [(31, true), (32, false)])
        func `a partial image with 32 damaged tiles shows none behind them`(count: Int, isShown: Bool) throws {
            let size = PixelSize(width: 64 * 8, height: 64 * 5)
            var grid = try HEIFGridFile.drawn(Drawings.plain(size.width, size.height, (200, 100, 50, 255)))
            let configuration = try #require(grid.tiles[0].file.boxContent("hvcC"))
            let stub = configuration.asBox("hvcC") + Data([1, 2, 3, 4]).asBox("mdat")
            for index in 0..<count { grid.tiles[index] = HEIFGridFile.Coded(file: stub, size: grid.tiles[0].size) }
            var limits = DecodeLimits()
            limits.acceptsPartialImages = true
            let file = grid.data
            if isShown {
                let part = try Damage.decoders.decode(file, limits: limits)
                #expect(part.pixel(9, 9).alpha == 0 && part.pixel(size.width - 9, size.height - 9).alpha == 255)
            } else {
                let error = #expect(throws: CodecError.self) { try Damage.decoders.decode(file, limits: limits) }
                #expect(error?.code == .damaged)
            }
        }

        /// The lists of a grid of the same tile have twelve entries besides its references.
        @Test(arguments: [(8179, false), (8180, false), (8181, true), (65_280, true)])
        func `lists of more than 8,192 items are refused before libheif reads them`(
            count: Int, isRefused: Bool
        ) throws {
            var grid = try HEIFGridFile.drawn(Drawings.plain(64, 64, (9, 99, 199, 255)))
            grid.columns = 256
            grid.sharesTile = true
            grid.tiles = [HEIFGridFile.Coded](repeating: grid.tiles[0], count: count)
            let file = grid.data
            let isOverLimit: Bool
            do {
                // Not decoded, because libheif would decode thousands of tiles.
                _ = try DecoderRegistry.standard.header(of: file)
                isOverLimit = false
            } catch {
                isOverLimit = error.message.contains("entries in its lists")
                #expect(!isOverLimit || error.code == .tooLarge)
            }
            #expect(isOverLimit == isRefused)
        }
    }
#endif
