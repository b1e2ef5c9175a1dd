#if HEIF && JPEGXL && SVG && TIFF
    import CHEIF
    import CalotypeCodecs
    import Foundation
    import TestSupport
    import Testing

    /// Images, tiles and thumbnails beside a gain map for which libheif refuses the file, so that a copy hides it.
    @Suite struct HEIFGainMapHidingTests {
        @Test(arguments: HEIFGainMapFile.Form.allCases)
        func `alpha and depth stay when a map goes`(form: HEIFGainMapFile.Form) throws {
            var (whole, file) = (try HEIFGainMapFile.make(form), try HEIFGainMapFile.makeTooLarge(form))
            let alpha = try HEIFGainMapFile.light(192, 128)
            let kinds = ["urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:hevc:2015:auxid:2"]
            for kind in kinds {
                whole.auxiliaries.append((alpha, kind))
                file.auxiliaries.append((alpha, kind))
            }
            #expect(!HEIFFile.isRead(file.data))
            let (bitmap, expected) = (try file.data.decodedKeepingMap(), try whole.data.decodedKeepingMap())
            #expect(bitmap.hasAlpha && bitmap.content == expected.content)
        }

        @Test func `alpha stays, although a derived image calls it a map`() throws {
            var file = try HEIFGainMapFile.make(.iso)
            let alpha = GainMapItems.box("auxC", Data(count: 4) + Data("urn:mpeg:hevc:2015:auxid:1\0".utf8))
            file.map = try HEIFGainMapFile.light(192, 128)
            file.map.properties = [alpha]
            file.references.append(("auxl", 2, [1]))
            let expected = try file.data.decodedKeepingMap()
            #expect(expected.hasAlpha)
            // The derived image has a property that libheif refuses.
            file.alternateProperties = [GainMapItems.box("pixi", Data([0, 0, 0, 0, 255, 8]))]
            #expect(!HEIFFile.isRead(file.data))
            #expect(try file.data.decodedKeepingMap().content == expected.content)
        }

        @Test func `a map in tiles goes with its tiles`() throws {
            var file = try HEIFGainMapFile.make(.iso)
            let tile = file.map.tiles[0]
            (file.map.tiles, file.map.columns) = ([tile, tile], 1)
            (file.map.width, file.map.height) = (96, 128)
            let whole = try file.data.decodedKeepingMap()
            file.map.tileSize = (70_000, 70_000)
            #expect(!HEIFFile.isRead(file.data))
            #expect(try file.data.decodedKeepingMap().content == whole.content)
        }

        /// A phone's photograph, whose map, EXIF and thumbnail belong to two images, so that libheif before 1.18 reads a copy anyway.
        private static let photographs = Result {
            let drawn = try Drawings.gradient(300, 200)
            var file = try HEIFGridFile.drawn(drawn)
            let small = PixelSize(width: 150, height: 100)
            file.thumbnail = try HEIFGridFile.Coded(
                file: HEIFFile.encoded(drawn.scaled(to: small, filter: .box)), size: small)
            let map = try HEIFFile.encodedGray(Drawings.plain(64, 64, (9, 9, 9, 255)))
            return [62, 70_000].map { side in
                file.gainMap = HEIFGridFile.Coded(file: map, size: PixelSize(width: side, height: side))
                return file.data
            }
        }

        @Test(arguments: [nil, ResizeTarget(width: 200), ResizeTarget(width: 70)])
        func `tiles and a thumbnail decode beside a map that is wrong`(target: ResizeTarget?) throws {
            let files = try Self.photographs.get()
            #expect(!HEIFFile.isRead(files[1]))
            let plans = try files.map { try DecoderRegistry.standard.plan(for: $0, target: target) }
            // One copy hides the map and what the images share.
            let isCopied = heif_get_version_number() < 0x0112_0000
            #expect(plans[1].cost == plans[0].cost + (isCopied ? 0 : files[1].count))
            #expect(try plans[0].decode().content == plans[1].decode().content)
        }

        @Test func `the memory of a band has the copy without the map`() throws {
            var (file, base) = (try HEIFGainMapFile.make(.iso), try HEIFGainMapFile.light(64, 64))
            base.tiles = Array(repeating: base.tiles[0], count: 2 * 3)
            (base.width, base.height, base.columns) = (192, 128, 3)
            file.base = base
            let whole = try DecoderRegistry.standard.plan(for: file.data, target: nil).cost
            file.map.tileSize = (70_000, 70_000)
            #expect(try DecoderRegistry.standard.plan(for: file.data, target: nil).cost == whole + file.data.count)
        }

        @Test func `a base that is wrong, too, fails by the first error of libheif`() throws {
            var file = try HEIFGainMapFile.makeTooLarge(.both)
            file.base.replaced["hvcC"] = []
            let error = #expect(throws: CodecError.self) { try file.data.decodedKeepingMap() }
            #expect(error?.code == .tooLarge && error?.message.contains("70000x70000") == true)
            file.map.tileSize = (96, 64)
            #expect(throws: CodecError.self) { try file.data.decodedKeepingMap() }
        }

        @Test func `a worker decodes the base beside a map that is wrong, too`() throws {
            let isolated = DecoderRegistry.standard.isolated(in: DecoderWorkers(limit: 1))
            let file = try HEIFGainMapFile.makeTooLarge(.both).data
            let bitmap = try isolated.plan(for: file, target: MapLayout()).decode()
            #expect(bitmap.content == (try file.decodedKeepingMap()).content && bitmap.gainMapFault == .image)
        }

        @Test func `200 files at once leave no copy`() async throws {
            // Of 1 MB each.
            let file = try HEIFGainMapFile.makeTooLarge(.both).data + GainMapItems.box("free", Data(count: 1 << 20))
            let expected = try file.decodedKeepingMap().content
            let before = try Self.residentPages
            let right = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<200 { group.addTask { (try? file.decodedKeepingMap().content) == expected ? 1 : 0 } }
                return await group.reduce(0, +)
            }
            #expect(right == 200)
            // All copies would be 200 MB.
            #expect(try Self.residentPages - before < (100 << 20) / 4096)
        }

        private static var residentPages: Int {
            get throws {
                let numbers = try String(contentsOf: URL(fileURLWithPath: "/proc/self/statm"), encoding: .utf8)
                return try #require(Int(numbers.split(separator: " ")[1]))
            }
        }
    }
#endif
