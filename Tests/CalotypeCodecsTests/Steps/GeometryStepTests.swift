import CalotypeCodecs
import Requirements
import Testing

@Suite struct GeometryStepTests {
    @Test func `turning by quarters is exact, and four are none`() throws {
        let picture = try Bitmap.numbered(5, 3)
        let right = try picture.applying(.rotate(quarterTurns: 1))
        #expect(right.size == PixelSize(width: 3, height: 5))
        #expect(right[2, 0] == picture[0, 0] && right[2, 4] == picture[4, 0] && right[0, 0] == picture[0, 2])
        #expect(
            try picture.applying(.rotate(quarterTurns: 2)).pixels == picture.pixels.map { $0.reversed() }.reversed())
        #expect(try right.applying(.rotate(quarterTurns: -1)).pixels == picture.pixels)
        #expect(try picture.applying(.rotate(quarterTurns: 4)).isIdentical(to: picture))
        #expect(
            ImageSteps.Rotate(quarterTurns: 5) == ImageSteps.Rotate(quarterTurns: 1)
                && ImageSteps.Rotate(quarterTurns: .min).quarterTurns == 0)
    }

    @Test func `flipping mirrors, and twice is as before`() throws {
        let picture = try Bitmap.numbered(4, 3)
        #expect(try picture.applying(.flip(.horizontal)).pixels == picture.pixels.map { $0.reversed() })
        #expect(try picture.applying(.flip(.vertical)).pixels == picture.pixels.reversed())
        #expect(try picture.applying([.flip(.vertical), .flip(.vertical)]).pixels == picture.pixels)
    }

    @Test func `a border lies around the image, premultiplied and as wide as asked`() throws {
        let picture = try Bitmap.numbered(3, 2)
        let veil = ImageColor(red: 200, green: 100, blue: 50, alpha: 128)
        let padded = try picture.applying(ImageSteps.Pad(top: 1, left: 2, bottom: 3, right: 4, color: veil))
        #expect(padded.size == PixelSize(width: 9, height: 6) && padded.hasAlpha)
        #expect(padded.pixels[1...2].map { Array($0[2...4]) } == picture.pixels)
        #expect(padded[0, 0] == Pixel(50, 100, 200).premultiplied(128) && padded[8, 5] == padded[0, 0])
        #expect(padded[1, 1] == padded[0, 0] && padded[5, 1] == padded[0, 0])
        #expect(try !picture.applying(.pad(1, color: .white)).hasAlpha)
        #expect(try picture.applying(.pad(-5)).isIdentical(to: picture))
    }

    @Test func `a canvas is extended around the image, and never shrinks it`() throws {
        let picture = try Bitmap.numbered(3, 2)
        let wide = try picture.applying(.extend(width: 7, height: 1, color: .black))
        #expect(wide.size == PixelSize(width: 7, height: 2))
        #expect(wide.pixels.map { Array($0[2...4]) } == picture.pixels && wide[0, 0] == .black && wide[6, 1] == .black)
        let corner = try picture.applying(.extend(width: 5, height: 5, gravity: .bottomRight))
        #expect(corner[2, 3] == picture[0, 0] && corner[4, 4] == picture[2, 1] && corner[1, 4] == .clear)
    }

    @Test(.requirement("B65")) func `canvases beyond all memory are refused`() throws {
        let picture = try Bitmap.numbered(3, 2)
        for step in [ImageSteps.Pad(.max), ImageSteps.Pad(1 << 20)] {
            let error = #expect(throws: CodecError.self) { try picture.applying(step) }
            #expect((error?.underlying as? CodecError)?.code == .tooLarge)
        }
        #expect(throws: CodecError.self) { try picture.applying(.extend(width: .max, height: .max)) }
    }
}
