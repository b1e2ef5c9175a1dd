#if HEIF && JPEGXL && SVG && TIFF
    import CHEIF
    import CalotypeCodecs
    import Foundation
    import TestSupport
    import Testing

    /// A blue image of 256 × 192 pixels with a red thumbnail, whose color shows which one was decoded.
    @Suite struct HEIFThumbnailTests {
        private static func grid(thumbnail width: Int = 128, _ height: Int = 96) throws -> HEIFGridFile {
            var grid = try HEIFGridFile.drawn(Drawings.plain(256, 192, (0, 0, 255, 255)))
            grid.thumbnail = try red(width, height)
            return grid
        }

        private static func red(_ width: Int, _ height: Int) throws -> HEIFGridFile.Coded {
            HEIFGridFile.Coded(
                file: try HEIFFile.encoded(Drawings.plain(width, height, (255, 0, 0, 255))),
                size: PixelSize(width: width, height: height))
        }

        private static func isFromThumbnail(_ grid: HEIFGridFile, width: Int) throws -> Bool {
            let bitmap = try grid.data.decodedHere(ResizeTarget(width: width))
            #expect(bitmap.width == width)
            let pixel = bitmap.pixel(width / 2, bitmap.height / 2)
            #expect(max(pixel.red, pixel.blue) > 240 && min(pixel.red, pixel.blue) < 15)
            return pixel.red > pixel.blue
        }

        @Test(arguments: [(16, true), (63, true), (64, true), (65, false), (128, false), (256, false)])
        func `a thumbnail stands in for results of up to half its sides`(width: Int, isFromThumbnail: Bool) throws {
            #expect(try Self.isFromThumbnail(Self.grid(), width: width) == isFromThumbnail)
        }

        @Test func `a thumbnail of another shape is not used`() throws {
            for (width, height) in [(128, 64), (128, 104), (96, 128)] {
                #expect(
                    try !Self.isFromThumbnail(Self.grid(thumbnail: width, height), width: 32), "\(width) × \(height)")
            }
        }

        @Test func `a thumbnail is used only if it is turned as the image is`() throws {
            for (image, thumbnail, isUsed) in [
                ([HEIFGridFile.irot(2)], [HEIFGridFile.irot(2)], true), ([HEIFGridFile.irot(2)], [], false),
                ([], [HEIFGridFile.irot(2)], false), ([HEIFGridFile.irot(1)], [HEIFGridFile.irot(3)], false),
                ([HEIFGridFile.irot(1)], [HEIFGridFile.irot(1)], true), ([HEIFGridFile.imir(0)], [], false),
                ([HEIFGridFile.imir(0)], [HEIFGridFile.imir(1)], false),
                ([HEIFGridFile.imir(0)], [HEIFGridFile.imir(0)], true),
            ] as [([Data], [Data], Bool)] {
                var grid = try Self.grid()
                (grid.properties, grid.thumbnailProperties) = (image, thumbnail)
                #expect(try Self.isFromThumbnail(grid, width: 48) == isUsed)
            }
        }

        @Test func `a turned thumbnail has the pixels of the turned image`() throws {
            let drawn = try Drawings.quarters(256, 192)
            var grid = try HEIFGridFile.drawn(drawn)
            grid.thumbnail = HEIFGridFile.Coded(
                file: try HEIFFile.encoded(Drawings.quarters(128, 96)), size: PixelSize(width: 128, height: 96))
            for turns in 0..<4 as Range<UInt8> {
                (grid.properties, grid.thumbnailProperties) = ([HEIFGridFile.irot(turns)], [HEIFGridFile.irot(turns)])
                let target = ResizeTarget(width: 24)
                let (small, whole) = (try grid.data.decodedHere(target), try HEIFFile.decodedWhole(grid.data))
                let scaled = try whole.scaled(to: small.size)
                for (x, y) in [(3, 3), (20, 3), (3, small.height - 4), (20, small.height - 4)] {
                    let (one, other) = (small.pixel(x, y), scaled.pixel(x, y))
                    #expect(abs(Int(one.red) - Int(other.red)) < 12 && abs(Int(one.blue) - Int(other.blue)) < 12)
                }
            }
        }

        @Test func `a damaged thumbnail leaves the image`() throws {
            var grid = try Self.grid()
            let configuration = try #require(grid.thumbnail?.file.boxContent("hvcC"))
            grid.thumbnail = HEIFGridFile.Coded(
                file: configuration.asBox("hvcC") + Data([1, 2, 3, 4]).asBox("mdat"),
                size: PixelSize(width: 128, height: 96))
            #expect(try !Self.isFromThumbnail(grid, width: 64))
        }

        @Test func `the thumbnail of an image with transparency is not used`() throws {
            var grid = try Self.grid()
            grid.alpha = HEIFGridFile.Coded(
                file: try HEIFFile.encoded(Drawings.plain(256, 192, (255, 255, 255, 255))), size: grid.size)
            #expect(try !Self.isFromThumbnail(grid, width: 64))
        }

        @Test func `a thumbnail of 8 bits does not stand in for a tone-mapped image`() throws {
            var grid = try HEIFGridFile.of(PixelSize(width: 256, height: 192)) { _ in
                try HEIFFile.deep(
                    PixelSize(width: 64, height: 64), heif_transfer_characteristic_ITU_R_BT_2100_0_PQ
                ) { _, _ in 0 }
            }
            grid.thumbnail = try Self.red(128, 96)
            let pixel = try grid.data.decodedHere(ResizeTarget(width: 64)).pixel(32, 24)
            #expect(pixel.red < 8)
        }

        @Test func `the pixels of a thumbnail are the same in a worker`() throws {
            let file = try Self.grid().data
            let target = ResizeTarget(width: 64)
            #expect(try file.decoded(target).worstDistance(to: file.decodedHere(target)) == 0)
        }
    }
#endif
