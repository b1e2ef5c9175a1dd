#if HEIF && JPEGXL && SVG && TIFF
    import CHEIF
    import CalotypeCodecs
    import Foundation
    import TestSupport
    import Testing

    /// Boxes of a gain map that are wrong: libheif refuses the whole file for many of them, but the base stays as it is.
    @Suite struct HEIFGainMapDamageTests {
        /// How the file states its map.
        enum Form: CaseIterable, Sendable { case iso, apple, both }

        struct Case: Sendable, CustomStringConvertible {
            let description: String
            let faults: [GainMapFault?]
            let make: @Sendable (inout GainMapItems) -> Void

            init(
                _ description: String, _ faults: GainMapFault?...,
                make: @escaping @Sendable (inout GainMapItems) -> Void
            ) {
                (self.description, self.faults, self.make) = (description, faults, make)
            }

            /// Properties of the map in place of those of this type.
            init(_ description: String, _ type: String, _ contents: [UInt8]...) {
                self.init(description, .image, .orientation) {
                    $0.map.replaced[type] = contents.map { GainMapItems.box(type, Data($0)) }
                }
            }

            /// A property of the map besides its own.
            init(_ description: String, _ fault: GainMapFault?, adding type: String, _ content: [UInt8]) {
                self.init(description, fault) {
                    $0.map.properties.append(GainMapItems.box(type, Data(content)))
                }
            }

            /// References besides the map's own.
            init(_ description: String, _ references: [GainMapItems.Reference]) {
                self.init(description, nil, .image) { $0.references += references }
            }
        }

        private static let ones = [UInt8](repeating: 255, count: 64)

        private static let cases: [Case] = [
            Case("a size of 0 × 0", "ispe", [UInt8](repeating: 0, count: 12)),
            Case("a size of 2^32", "ispe", [0, 0, 0, 0] + ones.prefix(8)),
            Case("a size of 70,000", "ispe", [0, 0, 0, 0, 0, 1, 0x11, 0x70, 0, 1, 0x11, 0x70]),
            Case("a size cut short", "ispe", [0, 0, 0, 0, 0, 0]),
            Case("no size", "ispe"),
            Case("a size of version 9", nil) {
                $0.map.replaced["ispe"] = [GainMapItems.box("ispe", Data([9, 0, 0, 0, 0, 0, 0, 96, 0, 0, 0, 64]))]
            },
            Case("a configuration cut short", "hvcC", [1, 1, 0x60]),
            Case("a configuration of rubbish", "hvcC", ones), Case("a configuration without bytes", "hvcC", []),
            Case("a configuration of version 7", "hvcC", [7] + ones.prefix(22)), Case("no configuration", "hvcC"),
            Case("colors cut short", .damage, adding: "colr", Array("nclx".utf8) + [0]),
            Case("colors of an unknown kind", nil, adding: "colr", Array("what".utf8) + ones),
            Case("a turn without an angle", .image, adding: "irot", []),
            Case("a mirror without an axis", .image, adding: "imir", []),
            Case("a crop cut short", .orientation, adding: "clap", [0, 0, 0, 9]),
            Case("a crop in parts of 0", .orientation, adding: "clap", [UInt8](repeating: 0, count: 32)),
            Case("a crop of 4 billion", .orientation, adding: "clap", Array(ones.prefix(32))),
            Case("bits of 255 channels", nil, adding: "pixi", [0, 0, 0, 0, 255, 8]),
            Case("proportions cut short", nil, adding: "pasp", [0]),
            Case("a property that the file lacks", .image) { $0.map.strayProperty = 99 },
            Case("an entry cut short", .image) { $0.entryLength = 7 },
            Case("an entry without a type", .image) { $0.entryLength = 8 },
            Case("a place outside the file", .image) { $0.lie = .outside },
            Case("no place", .image) { $0.isNowhere = true },
            Case("a map made of itself", [("dimg", 2, [2])]), Case("a map of a map", [("auxl", 2, [2])]),
            Case("a map made of its base", [("dimg", 2, [1])]),
            Case("a map of an image that the file lacks", [("auxl", 2, [77])]),
            Case("a map of two images", [("auxl", 2, [1, 2])]),
            Case("a map that is its own thumbnail", [("thmb", 2, [2])]),
            Case("a map that is a thumbnail of nothing", [("thmb", 2, [77])]),
            Case("a map described by itself", [("cdsc", 2, [2])]),
            Case("no place of the metadata", nil, .numbers) { $0.lie = .metadataOutside },
        ]

        private static func light(_ width: Int, _ height: Int) throws -> GainMapItems.Image {
            let bitmap = try Drawings.drawn(width, height) { x, y in
                let value = UInt8(60 + 90 * x / width + 90 * y / height)
                return (value, value, value, 255)
            }
            return GainMapItems.Image(try HEIFFile.encodedGray(bitmap), width: width, height: height)
        }

        private static let images = Result { try (base: light(192, 128), map: light(96, 64)) }

        private static func make(_ form: Form) throws -> GainMapItems {
            let images = try images.get()
            let numbers: [(UInt8, UInt8)] = [(0, 1), (2, 1), (0, 1), (2, 1), (1, 1), (1, 64), (1, 64)]
            let iso = Data([0, 0, 0, 0, 0x40] + numbers.flatMap { [0, 0, 0, $0.0, 0, 0, 0, $0.1] })
            var file = GainMapItems(base: images.base, map: images.map, iso: form == .apple ? nil : iso)
            file.isApples = form != .iso
            file.xmp = Data(
                "<x xmlns:h='http://ns.apple.com/HDRGainMap/1.0/' h:HDRGainMapHeadroom='4'>GainMap</x>".utf8)
            return file
        }

        @Test(arguments: cases, Form.allCases)
        func `a map in a HEIC that is wrong is dropped, and its base stays`(wrong: Case, form: Form) throws {
            var file = try Self.make(form)
            let whole = try Self.decoded(file.data)
            #expect(whole.gainMap != nil && whole.gainMapFault == nil)
            wrong.make(&file)
            let bitmap = try Self.decoded(file.data)
            #expect(bitmap.content == whole.content)
            #expect(wrong.faults.contains(bitmap.gainMapFault))
            #expect((bitmap.gainMap == nil) == (bitmap.gainMapFault != nil))
        }

        /// A map of which libheif says that it is too large.
        private static func makeTooLarge(_ form: Form) throws -> GainMapItems {
            var file = try make(form)
            file.map.tileSize = (70_000, 70_000)
            return file
        }

        @Test(arguments: Form.allCases)
        func `alpha and depth stay when a map goes`(form: Form) throws {
            var (whole, file) = (try Self.make(form), try Self.makeTooLarge(form))
            let alpha = try Self.light(192, 128)
            let kinds = ["urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:hevc:2015:auxid:2"]
            for kind in kinds {
                whole.auxiliaries.append((alpha, kind))
                file.auxiliaries.append((alpha, kind))
            }
            #expect(!HEIFFile.isRead(file.data))
            let (bitmap, expected) = (try Self.decoded(file.data), try Self.decoded(whole.data))
            #expect(bitmap.hasAlpha && bitmap.content == expected.content)
        }

        @Test func `alpha stays, although a derived image calls it a map`() throws {
            var file = try Self.make(.iso)
            let alpha = GainMapItems.box("auxC", Data(count: 4) + Data("urn:mpeg:hevc:2015:auxid:1\0".utf8))
            file.map = try Self.light(192, 128)
            file.map.properties = [alpha]
            file.references.append(("auxl", 2, [1]))
            let expected = try Self.decoded(file.data)
            #expect(expected.hasAlpha)
            // The derived image has a property that libheif refuses.
            file.alternateProperties = [GainMapItems.box("pixi", Data([0, 0, 0, 0, 255, 8]))]
            #expect(!HEIFFile.isRead(file.data))
            #expect(try Self.decoded(file.data).content == expected.content)
        }

        @Test func `a map in tiles goes with its tiles`() throws {
            var file = try Self.make(.iso)
            let tile = file.map.tiles[0]
            (file.map.tiles, file.map.columns) = ([tile, tile], 1)
            (file.map.width, file.map.height) = (96, 128)
            let whole = try Self.decoded(file.data)
            file.map.tileSize = (70_000, 70_000)
            #expect(!HEIFFile.isRead(file.data))
            #expect(try Self.decoded(file.data).content == whole.content)
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
            var (file, base) = (try Self.make(.iso), try Self.light(64, 64))
            base.tiles = Array(repeating: base.tiles[0], count: 2 * 3)
            (base.width, base.height, base.columns) = (192, 128, 3)
            file.base = base
            let whole = try DecoderRegistry.standard.plan(for: file.data, target: nil).cost
            file.map.tileSize = (70_000, 70_000)
            #expect(try DecoderRegistry.standard.plan(for: file.data, target: nil).cost == whole + file.data.count)
        }

        @Test func `a base that is wrong, too, fails by the first error of libheif`() throws {
            var file = try Self.makeTooLarge(.both)
            file.base.replaced["hvcC"] = []
            let error = #expect(throws: CodecError.self) { try Self.decoded(file.data) }
            #expect(error?.code == .tooLarge && error?.message.contains("70000x70000") == true)
            file.map.tileSize = (96, 64)
            #expect(throws: CodecError.self) { try Self.decoded(file.data) }
        }

        @Test func `a worker decodes the base beside a map that is wrong, too`() throws {
            let isolated = DecoderRegistry.standard.isolated(in: DecoderWorkers(limit: 1))
            let file = try Self.makeTooLarge(.both).data
            let bitmap = try isolated.plan(for: file, target: MapLayout()).decode()
            #expect(bitmap.content == (try Self.decoded(file)).content && bitmap.gainMapFault == .image)
        }

        @Test func `200 files at once leave no copy`() async throws {
            // Of 1 MB each.
            let file = try Self.makeTooLarge(.both).data + GainMapItems.box("free", Data(count: 1 << 20))
            let expected = try Self.decoded(file).content
            let before = try Self.residentPages
            let right = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<200 { group.addTask { (try? Self.decoded(file).content) == expected ? 1 : 0 } }
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

        private static func decoded(_ file: Data, _ target: ResizeTarget? = nil) throws -> Bitmap {
            try DecoderRegistry.standard.plan(for: file, target: MapLayout(target: target)).decode()
        }
    }

    /// A layout that keeps maps.
    struct MapLayout: ImageLayout {
        var target: ResizeTarget?

        let key = "map"
        let gainMapSide: Int? = 1

        func placement(of size: PixelSize, isScalable: Bool) -> ImagePlacement {
            target?.placement(of: size, isScalable: isScalable) ?? ImagePlacement(size)
        }
    }

    extension Bitmap {
        /// The size and all pixels.
        var content: [UInt8] { withUnsafeBytes { Array("\(self)".utf8) + Array($0) } }
    }
#endif
