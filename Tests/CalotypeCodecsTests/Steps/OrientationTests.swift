import CalotypeCodecs
import Testing

@Suite struct OrientationTests {
    /// Returns the stored position of the pixel at x, y of the upright image, in a file of `width` × `height`.
    private static func place(_ exif: Int, x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
        switch exif {
        case 2: (width - 1 - x, y)
        case 3: (width - 1 - x, height - 1 - y)
        case 4: (x, height - 1 - y)
        case 5: (y, x)
        case 6: (y, height - 1 - x)
        case 7: (width - 1 - y, height - 1 - x)
        case 8: (width - 1 - y, x)
        default: (x, y)
        }
    }

    @Test(arguments: 1...8)
    func `every pixel of every orientation finds its place`(exif: Int) throws {
        for (width, height) in [(5, 3), (1, 4), (33, 17), (64, 40)] {
            let stored = try Bitmap.numbered(width, height)
            let upright = try stored.oriented(exif)
            let size = exif >= 5 ? PixelSize(width: height, height: width) : PixelSize(width: width, height: height)
            #expect(upright.size == size)
            let expected = (0..<size.height).map { y in
                (0..<size.width).map { x in
                    let place = Self.place(exif, x: x, y: y, width: width, height: height)
                    return stored[place.x, place.y]
                }
            }
            #expect(upright.pixels == expected)
        }
    }

    @Test(arguments: [Int.min, -1, 0, 9, Int.max])
    func `an orientation that does not exist changes nothing`(exif: Int) throws {
        let bitmap = try Bitmap.numbered(3, 2)
        #expect(try bitmap.oriented(exif).isIdentical(to: bitmap))
    }
}
