import CalotypeCodecs
import Testing

@Suite struct CroppingTests {
    @Test func `a crop keeps exactly the pixels inside`() throws {
        let bitmap = try Bitmap.numbered(6, 5)
        let part = try bitmap.cropped(to: PixelRect(x: 2, y: 1, width: 3, height: 2))
        #expect(part.pixels == bitmap.pixels[1...2].map { Array($0[2...4]) })
    }

    @Test func `what reaches over the edge is left out`() throws {
        let bitmap = try Bitmap.numbered(6, 5)
        let corner = try bitmap.cropped(to: PixelRect(x: -3, y: 4, width: 5, height: .max))
        #expect(corner.pixels == [Array(bitmap.pixels[4][0...1])])
        let all = try bitmap.cropped(to: PixelRect(x: -1, y: -1, width: .max, height: .max))
        #expect(all.isIdentical(to: bitmap))
    }

    @Test(arguments: [
        PixelRect(x: 6, y: 0, width: 1, height: 1), PixelRect(x: 0, y: 0, width: 0, height: 3),
        PixelRect(x: .max, y: .max, width: .max, height: .max), PixelRect(x: .min, y: 0, width: .max, height: 1),
        PixelRect(x: 0, y: 0, width: -1, height: .min),
    ])
    func `a crop of nothing says what was asked`(rect: PixelRect) throws {
        let bitmap = try Bitmap.numbered(6, 5)
        let error = #expect(throws: CodecError.self) { try bitmap.cropped(to: rect) }
        #expect(error?.message.contains("6 × 5") == true)
    }

    @Test(arguments: [
        (Gravity.center, 2, 1), (.top, 2, 0), (.bottom, 2, 3), (.left, 0, 1), (.right, 4, 1), (.topLeft, 0, 0),
        (.topRight, 4, 0), (.bottomLeft, 0, 3), (.bottomRight, 4, 3), (Gravity(x: 0.25, y: 9), 1, 3),
        (Gravity(x: .nan, y: -.infinity), 2, 0),
    ])
    func `gravity says which window is kept`(gravity: Gravity, x: Int, y: Int) throws {
        let bitmap = try Bitmap.numbered(6, 5)
        let window = try bitmap.applying(ImageSteps.Crop(PixelSize(width: 2, height: 2), gravity: gravity))
        #expect(window.size == PixelSize(width: 2, height: 2))
        #expect(window[0, 0] == bitmap[x, y])
    }
}
