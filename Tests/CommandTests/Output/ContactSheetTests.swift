import CalotypeCodecs
import Testing

@testable import CalotypeDemoCommand

struct ContactSheetTests {
    private func tile(_ color: [UInt8], width: Int = 240, height: Int = 160) throws -> Bitmap {
        try Bitmap(width: width, height: height, hasAlpha: color[3] < 255) { pixels, _ in
            for index in pixels.indices { pixels[index] = color[index % 4] }
        }
    }

    private func pixel(_ sheet: Bitmap, x: Int, y: Int) -> [UInt8] {
        sheet.withUnsafeBytes { pixels in (0..<4).map { pixels[y * sheet.stride + x * 4 + $0] } }
    }

    @Test func `images stand in rows, with margins around and gaps between`() throws {
        let red: [UInt8] = [0, 0, 255, 255]
        let sheet = try ContactSheet.sheet(of: [tile(red), tile(red), tile(red)])
        #expect(PixelSize(sheet.width, sheet.height) == PixelSize(2 * 32 + 2 * 240 + 16, 2 * 32 + 2 * 160 + 16))
        let paper = pixel(sheet, x: 0, y: 0)
        #expect(pixel(sheet, x: 32, y: 32) == red)
        #expect(pixel(sheet, x: 31, y: 32) == paper)
        #expect(pixel(sheet, x: 32 + 240, y: 32) == paper)
        #expect(pixel(sheet, x: 32 + 240 + 16, y: 32) == red)
        #expect(pixel(sheet, x: 32, y: 32 + 160 + 16) == red)
        #expect(pixel(sheet, x: 32 + 240 + 16, y: 32 + 160 + 16) == paper)
    }

    @Test func `a smaller image stands in the middle of its place`() throws {
        let sheet = try ContactSheet.sheet(of: [tile([9, 9, 9, 255], width: 40, height: 20)])
        #expect(pixel(sheet, x: 32 + 100, y: 32 + 70) == [9, 9, 9, 255])
        #expect(pixel(sheet, x: 32 + 99, y: 32 + 70) != [9, 9, 9, 255])
    }

    @Test func `transparent images lie on cards that differ from the paper, so that gray shapes are visible`() throws {
        let sheet = try ContactSheet.sheet(of: [tile([0, 0, 0, 0])])
        #expect(pixel(sheet, x: 40, y: 40) == [0x2C, 0x46, 0x68, 0xFF])
        #expect(pixel(sheet, x: 0, y: 0) == [0x58, 0x52, 0x4E, 0xFF])
    }

    @Test func `one image at several sizes has one tile`() throws {
        let tiles = [try tile([10, 20, 30, 255]), try tile([11, 20, 31, 255]), try tile([200, 20, 30, 255])]
        #expect(ContactSheet.distinct(tiles).count == 2)
        let clear = [try tile([0, 0, 0, 0]), try tile([1, 1, 1, 1])]
        #expect(ContactSheet.distinct(clear).count == 2)
    }
}
