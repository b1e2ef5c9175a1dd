#if HEIF && JPEGXL && SVG && TIFF
    import CalotypeCodecs
    import Foundation
    import TestSupport
    import Testing

    @Suite struct HEIFGridDamageTests {
        @Test func `a grid that is cut short or flipped is a typed error or an image of its size`() throws {
            let file = try HEIFGridFile.drawn(Drawings.noise(128, 100)).data
            try Damage.check(file)
            for count in stride(from: 0, to: file.count, by: 97) {
                #expect(throws: CodecError.self) { try Damage.decoders.decode(file.prefix(count)) }
            }
        }

        @Test func `each byte of the boxes may be anything`() throws {
            var grid = try HEIFGridFile.drawn(Drawings.plain(128, 128, (9, 200, 99, 255)))
            grid.thumbnail = HEIFGridFile.Coded(
                file: try HEIFFile.encoded(Drawings.plain(64, 64, (9, 200, 99, 255))),
                size: PixelSize(width: 64, height: 64))
            (grid.gainMap, grid.exifOrientation) = (grid.thumbnail, 6)
            let file = grid.data
            let boxes = try #require(file.range(of: Data("mdat".utf8))).lowerBound
            var limits = DecodeLimits()
            limits.maxPixels = 1 << 20
            for place in 0..<boxes {
                for value in [0, 1, 0x7F, 0xFF] as [UInt8] where file[place] != value {
                    var broken = file
                    broken[place] = value
                    do {
                        let plan = try Damage.decoders.plan(
                            for: broken, target: ResizeTarget(width: 40), limits: limits)
                        #expect(try plan.decode().size == plan.outputSize)
                    } catch {
                        #expect([.notAnImage, .damaged, .tooLarge, .unsupported].contains(error.code), "\(error)")
                    }
                }
            }
        }

        @Test func `a damaged tile fails the image, or is transparent in a partial one`() throws {
            let grid = try HEIFGridFile.drawn(Drawings.plain(128, 128, (200, 100, 50, 255)))
            var broken = grid
            // Nothing remains of the second tile but a length that exceeds it.
            broken.tiles[1] = HEIFGridFile.Coded(
                file: grid.tiles[1].file.boxContent("hvcC").map {
                    $0.asBox("hvcC") + Data([1, 2, 3, 4]).asBox("mdat")
                }
                    ?? Data(),
                size: grid.tiles[1].size)
            let error = #expect(throws: CodecError.self) { try broken.data.decodedHere() }
            #expect(error?.code == .damaged)
            var limits = DecodeLimits()
            limits.acceptsPartialImages = true
            for target in [nil, ResizeTarget(width: 32)] {
                let part = try Damage.decoders.decode(broken.data, target: target, limits: limits)
                let side = part.width
                #expect(part.hasAlpha && part.pixel(side - 4, 3).alpha == 0)
                for (x, y) in [(3, 3), (3, side - 4), (side - 4, side - 4)] {
                    let pixel = part.pixel(x, y)
                    #expect(pixel.alpha == 255 && abs(Int(pixel.red) - 200) < 8, "\(pixel)")
                }
            }
        }

        @Test func `a truncated grid is damaged, or shows the tiles in front of its end`() throws {
            let file = try HEIFGridFile.drawn(Drawings.noise(128, 192)).data
            var limits = DecodeLimits()
            limits.acceptsPartialImages = true
            let start = try #require(file.range(of: Data("mdat".utf8))).upperBound
            for count in [file.count - 1, file.count - 9, start + 9] {
                do {
                    // libheif 1.15 reads the bytes of all items when it opens a file, and refuses this one.
                    let part = try Damage.decoders.decode(file.prefix(count), limits: limits)
                    #expect(part.hasAlpha && part.pixel(127, 191).alpha == 0 && part.pixel(0, 0).alpha == 255)
                } catch {
                    #expect(error.code == .damaged, "\(error)")
                }
            }
        }

        @Test func `places of 64 bits are read, and those beyond the file are damage`() throws {
            var grid = try HEIFGridFile.drawn(Drawings.gradient(128, 128))
            grid.hasWidePlaces = true
            #expect(try HEIFGridTests.isDecodedInTiles(grid.data))
            #expect(try grid.data.decodedHere().worstDistance(to: HEIFFile.decodedWhole(grid.data)) <= 1)
            let count = UInt64(grid.data.count)
            let ends: [UInt64] = [count + 1, 1 << 31, 1 << 32, 1 << 48 - 1, 1 << 48, 1 << 63 - 1, 1 << 63, .max]
            for end in ends {
                let places: [(offset: UInt64, length: UInt64)] = [(end, 1), (0, end), (end, end)]
                for place in places {
                    grid.secondPlace = place
                    let file = grid.data
                    let error = #expect(throws: CodecError.self) { try file.decodedHere() }
                    #expect([.damaged, .tooLarge].contains(error?.code), "\(place) \(error?.message ?? "")")
                }
            }
        }
    }
#endif
