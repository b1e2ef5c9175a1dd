#if HEIF && JPEGXL && SVG && TIFF
    import CalotypeCodecs
    import Foundation
    import TestSupport
    import Testing

    /// Boxes of a gain map that are wrong: libheif refuses the whole file for many of them, but the base stays as it is.
    @Suite struct HEIFGainMapDamageTests {
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

        @Test(arguments: cases, HEIFGainMapFile.Form.allCases)
        func `a map in a HEIC that is wrong is dropped, and its base stays`(wrong: Case, form: HEIFGainMapFile.Form)
            throws
        {
            var file = try HEIFGainMapFile.make(form)
            let whole = try file.data.decodedKeepingMap()
            #expect(whole.gainMap != nil && whole.gainMapFault == nil)
            wrong.make(&file)
            let bitmap = try file.data.decodedKeepingMap()
            #expect(bitmap.content == whole.content)
            #expect(wrong.faults.contains(bitmap.gainMapFault))
            #expect((bitmap.gainMap == nil) == (bitmap.gainMapFault != nil))
        }

        @Test(arguments: HEIFGainMapFile.Form.allCases) func `damaged items never fail for their map`(
            form: HEIFGainMapFile.Form
        ) throws {
            let file = try HEIFGainMapFile.make(form).data
            // The lists of items, which are in front of the coded images.
            let lists = try #require(file.range(of: Data("mdat".utf8))).lowerBound
            var decodedCount = 0
            for seed in 0..<150 {
                var (damaged, state) = (file, UInt32(seed))
                for _ in 0...seed % 4 {
                    state = state &* 1_664_525 &+ 1_013_904_223
                    damaged[Int(state >> 8) % lists] ^= UInt8(1 << (state >> 4 & 7))
                }
                // The base may be hit.
                guard let plain = try? damaged.decoded() else { continue }
                decodedCount += 1
                #expect(try damaged.decodedKeepingMap().content == plain.content)
            }
            #expect(decodedCount > 30, "\(decodedCount)")
        }

    }

#endif
