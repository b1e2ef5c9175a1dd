import CalotypeBase
import CalotypeCodecs
import CalotypeTesting
@testable import CalotypeURLs
import Testing

@testable import CalotypeServer

/// Pixels, on images whose colors encode their place.
struct LayoutTests {
    /// An image whose pixels are red by column and green by row, in 16 steps of 16 levels each.
    private static func grid(width: Int, height: Int) throws -> Bitmap {
        try Bitmap(width: width, height: height, hasAlpha: false) { pixels, stride in
            for y in 0..<height {
                for x in 0..<width {
                    let pixel = [0, UInt8(16 * (16 * y / height)), UInt8(16 * (16 * x / width)), 255]
                    pixels.baseAddress?.advanced(by: y * stride + 4 * x).copyMemory(from: pixel, byteCount: 4)
                }
            }
        }
    }

    private func made(_ options: ByteString, of bitmap: Bitmap, watermark: Bitmap? = nil) throws -> Bitmap {
        let request = try RenditionRequest(path: "/\(options)/plain/a")
        let layout = RenditionLayout(
            request.options, longestSide: 8192, watermark: watermark.map { WatermarkImage($0) })
        let file = try bitmap.encoded(as: .png)
        return try DecoderRegistry.standard.plan(for: file, target: layout).decode()
    }

    /// The column and row of the grid at a pixel.
    private func cell(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [Int] {
        bitmap.withUnsafeBytes { bytes in
            let pixel = y * bitmap.stride + 4 * x
            return [(Int(bytes[pixel + 2]) + 8) / 16, (Int(bytes[pixel + 1]) + 8) / 16]
        }
    }

    @Test(
        arguments: [
            ("c:80:80:nowe", [0, 0], [7, 7]), ("c:80:80:soea", [8, 8], [15, 15]),
            ("c:0.5:0.5:fp:0.5:0.5", [4, 4], [11, 11]),
            ("c:80:80:nowe:40:0.25", [4, 4], [11, 11]), ("rs:force:160:160/g:no", [0, 0], [15, 15]),
            ("w:40/h:80/rt:fill/g:we", [0, 0], [7, 15]), ("w:40/h:80/rt:fill/g:ea", [8, 0], [15, 15]),
            // Gravity refers to the image as shown.
            ("c:80:80:nowe/rot:90", [0, 15], [7, 8]), ("c:80:80:nowe/rot:180", [15, 15], [8, 8]),
            ("c:80:80:nowe/rot:270", [15, 0], [8, 7]), ("c:80:80:nowe/fl:1:0", [15, 0], [8, 7]),
            ("c:80:80:nowe/fl:0:1", [0, 15], [7, 8]), ("c:80:80:nowe/rot:90/fl:1:1", [15, 0], [8, 7]),
        ] as [(ByteString, [Int], [Int])])
    func `the part that options name is kept`(options: ByteString, first: [Int], last: [Int]) throws {
        let made = try made(options, of: Self.grid(width: 160, height: 160))
        // As many cells apart, whatever way the result is turned.
        let corners = [cell(made, 1, 1), cell(made, made.width - 2, made.height - 2)]
        let turned = options.contains("rot:90") || options.contains("rot:270")
        #expect(corners == [first, last], "\(options)\(turned ? ", turned" : "")")
    }

    @Test(
        arguments: ["w:77/h:31/rt:fill", "c:33:77:soea/w:20", "pd:3:5", "s:300:300:0:1", "rot:90/w:50", "t:10/w:50"]
            as [ByteString])
    func `the image has the size of the geometry`(options: ByteString) throws {
        let bitmap = try Self.grid(width: 160, height: 120)
        let request = try RenditionRequest(path: "/\(options)/plain/a")
        let layout = RenditionLayout(request.options, longestSide: 8192)
        #expect(try made(options, of: bitmap).size == layout.geometry(of: bitmap.size).result)
    }

    @Test func `extended places are clear, or have the color of the background`() throws {
        let bitmap = try Self.grid(width: 16, height: 16)
        let clear = try made("pd:4", of: bitmap)
        #expect(clear.hasAlpha)
        clear.withUnsafeBytes { #expect($0[3] == 0) }
        let red = try made("pd:4/bg:ff0000", of: bitmap)
        red.withUnsafeBytes { #expect(Array($0[0..<4]) == [0, 0, 255, 255]) }
    }

    @Test func `a border is trimmed before the image is scaled`() throws {
        let framed = try Self.grid(width: 64, height: 64).applying(.pad(20, color: .white))
        #expect(try made("t:10:ffffff", of: framed).size == PixelSize(width: 64, height: 64))
        #expect(try made("t:10:ffffff/w:32", of: framed).size == PixelSize(width: 32, height: 32))
        let uneven = try Self.grid(width: 64, height: 64).applying(
            ImageSteps.Pad(top: 4, left: 8, bottom: 6, right: 20, color: .white))
        #expect(try made("t:10:ffffff:1:1", of: uneven).size == PixelSize(width: 76, height: 66))
        let clear = try Self.grid(width: 64, height: 64).applying(.pad(20))
        #expect(try made("t:10:FF00FF", of: clear).size == PixelSize(width: 64, height: 64))
    }

    @Test(
        arguments: [
            // imgproxy's trim1.png.
            ("t:5", "320x220"), ("t:5::1", "330x220"), ("t:5:::1", "320x230"), ("t:5::1:1", "330x230"),
            ("t:10:ff0000", "350x250"), ("t:5/w:160", "160x110"), ("t:5::1:1/rot:90", "230x330"),
        ] as [(ByteString, String)])
    func `a trimmed image has the size that imgproxy's tests publish`(options: ByteString, expected: String) throws {
        let framed = try Self.grid(width: 320, height: 220).applying(
            ImageSteps.Pad(top: 10, left: 10, bottom: 20, right: 20, color: .white))
        let made = try made(options, of: framed)
        #expect("\(made.width)x\(made.height)" == expected)
    }

    @Test func `a smart crop keeps its size, before and after scaling`() throws {
        let bitmap = try Self.grid(width: 160, height: 120)
        #expect(try made("c:50:40:sm", of: bitmap).size == PixelSize(width: 50, height: 40))
        #expect(try made("rs:fill:40:40/g:sm", of: bitmap).size == PixelSize(width: 40, height: 40))
        #expect(try made("c:100:50/rs:fill:40:40/g:sm", of: bitmap).size == PixelSize(width: 40, height: 40))
    }

    @Test(
        arguments: [("wm:1:nowe", 0, 0), ("wm:1:soea", 30, 30), ("wm:1:nowe:10:5", 10, 5), ("wm:1:nowe:-5:0", -5, 0)]
            as [(ByteString, Int, Int)])
    func `a watermark stands where the option says, also over an edge`(options: ByteString, x: Int, y: Int) throws {
        let white = try Bitmap(width: 10, height: 10, hasAlpha: false) { pixels, _ in
            for index in pixels.indices { pixels[index] = 255 }
        }
        let made = try made(options, of: Self.grid(width: 40, height: 40), watermark: white)
        made.withUnsafeBytes { bytes in
            for row in 0..<40 {
                for column in 0..<40 {
                    let isMarked = (x..<(x + 10)).contains(column) && (y..<(y + 10)).contains(row)
                    #expect((bytes[row * made.stride + 4 * column] == 255) == isMarked, "\(column), \(row)")
                }
            }
        }
    }

    @Test(
        arguments: [
            ("wm:1:re", 10, 10), ("wm:1:re:5:0", 15, 10), ("wm:1:re:6:10", 16, 20), ("wm:1:re:0.25:0", 20, 10),
            ("wm:1:re:20:10/dpr:0.5", 20, 15), ("wm:1:re:-4:0", 6, 10), ("wm:1:re:100:100", 110, 110),
        ] as [(ByteString, Int, Int)])
    func `tiles repeat at their distance, the middle one in the center`(options: ByteString, across: Int, down: Int)
        throws
    {
        // Brighter from column to column, so that a tile's place shows.
        let tile = try Bitmap(width: 10, height: 10, hasAlpha: false) { pixels, stride in
            for index in pixels.indices {
                pixels[index] = index % 4 == 3 ? 255 : UInt8(150 + 10 * (index % stride / 4))
            }
        }
        let made = try made(options, of: Self.grid(width: 40, height: 40), watermark: tile)
        let middle = (made.width - across) / 2 + (across - 10) / 2, top = (made.height - down) / 2 + (down - 10) / 2
        made.withUnsafeBytes { bytes in
            for row in 0..<made.height {
                for column in 0..<made.width {
                    let left = ((column - middle) % across + across) % across
                    let upper = ((row - top) % down + down) % down
                    let blue = bytes[row * made.stride + 4 * column]
                    #expect(blue == (left < 10 && upper < 10 ? UInt8(150 + 10 * left) : 0), "\(column), \(row)")
                }
            }
        }
    }
}
