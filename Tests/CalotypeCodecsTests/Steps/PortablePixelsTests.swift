import Testing

@testable import CalotypeCodecs

/// The portable replacement of libyuv, compared with libyuv.
@Suite struct PortablePixelsTests {
    @Test(arguments: 2...8, [(1, 1), (1, 5), (7, 1), (5, 3), (33, 17)])
    func `turning in Swift gives libyuv's pixels`(exif: Int, size: (Int, Int)) throws {
        let bitmap = try Pictures.noise(size.0, size.1)
        let turned = try bitmap.portablyTurned(exif)
        #expect(turned.width == (exif >= 5 ? size.1 : size.0))
        #expect(try turned.worstDistance(to: bitmap.oriented(exif)) == 0)
    }

    @Test(arguments: [
        // The target for 4000 × 3000, and the required length of the longer side.
        (PixelSize(width: 400, height: 300), 400), (PixelSize(width: 300, height: 300), 400),
        (PixelSize(width: 400, height: 10), 400), (PixelSize(width: 1, height: 1), 2),
        (PixelSize(width: 1001, height: 1), 1001), (PixelSize(width: 4000, height: 3000), 4000),
        (PixelSize(width: 9000, height: 1), 4000),
    ])
    func `an image scaled by its longer side covers what is wanted, and is never enlarged`(
        wanted: PixelSize, side: Int
    ) throws {
        let full = PixelSize(width: 4000, height: 3000)
        #expect(full.longestSide(covering: wanted) == side)
        #expect(PixelSize(width: 3000, height: 4000).longestSide(covering: wanted.turned) == side)
    }
}

extension PixelSize {
    fileprivate var turned: PixelSize { PixelSize(width: height, height: width) }
}
