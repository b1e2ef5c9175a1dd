import CalotypeCodecs
import Requirements
import Testing

/// S4.28: the five processors of AWebImage.
@Suite struct ShapeTests {
    private func white(_ width: Int, _ height: Int) throws -> Bitmap { try .drawn(width, height) { _, _ in .white } }

    @Test(.requirement("S4.28")) func `Round makes the corners transparent, radius 3 by default`() throws {
        let round = try white(9, 8).applying(.round())
        #expect(round.hasAlpha)
        #expect(round[0, 0] == Pixel(0, 0, 0, 0))
        // 1.5 and 2.5 pixels from the corner's center: √8.5 = 2.915 away, so 0.585 of the pixel is inside.
        #expect(round[0, 1] == Pixel(149, 149, 149, 149))
        #expect(round[3, 0] == .white)
        #expect(round.pixels[3...4].joined().allSatisfy { $0 == .white })
        try expectMirrored(round)
    }

    @Test func `fractions of the radius show`() throws {
        let (small, large) = (
            try white(20, 20).applying(.round(radius: 3.2)), try white(20, 20).applying(.round(radius: 3.9))
        )
        #expect(small.pixels != large.pixels)
    }

    @Test func `edges fade color and alpha alike`() throws {
        let picture = try Bitmap.drawn(8, 8, hasAlpha: true) { _, _ in Pixel(200, 100, 0, 200) }
        let edge = try picture.applying(.round())[0, 1]
        #expect(edge == Pixel(117, 58, 0, 117))
    }

    @Test(.requirement("B65")) func `a radius that is no number, below zero or endless does not crash`() throws {
        let bitmap = try white(8, 6)
        for radius in [.nan, -1, -Double.infinity, 0] {
            #expect(try bitmap.applying(.round(radius: radius)).isIdentical(to: bitmap))
        }
        let round = try bitmap.applying(.round(radius: .infinity))
        #expect(round.pixels == (try bitmap.applying(.round(radius: 3)).pixels))
        #expect(try bitmap.applying(.resize(shortSide: .nan)).size == PixelSize(width: 1, height: 1))
        #expect(try bitmap.applying(.resize(shortSide: .infinity)).isIdentical(to: bitmap))
        #expect(
            try white(1, 1).applying([.round(radius: 0.5), .circle, .square]).size == PixelSize(width: 1, height: 1))
    }

    @Test func `lengths of shapes are whole numbers or fractions`() {
        let whole = 3, fraction = 3.0
        #expect(ImageSteps.RoundedCorners.round(radius: whole) == .round(radius: fraction))
        #expect(
            ImageSteps.Border.border(width: whole, color: .clear, radius: whole)
                == .border(width: fraction, color: .clear, radius: fraction))
        #expect(ImageSteps.Resize.resize(shortSide: whole) == .resize(shortSide: fraction))
    }

    @Test(.requirement("S4.28")) func `Circle is inscribed, on a square or on the whole canvas`() throws {
        let square = try white(13, 9).applying(.circle)
        #expect(square.size == PixelSize(width: 9, height: 9))
        #expect(square[0, 0] == .clear && square[8, 8] == .clear)
        #expect(square[4, 0] == .white && square[0, 4] == .white && square[4, 4] == .white)
        try expectMirrored(square)

        let full = try white(13, 9).applying(.circle(keepsSize: true))
        #expect(full.size == PixelSize(width: 13, height: 9))
        #expect(full.pixels.map { Array($0[2...10]) } == square.pixels)
        #expect(full.pixels.allSatisfy { $0[0] == .clear && $0[1] == .clear && $0[12] == .clear })
    }

    @Test func `a circle covers the area of a circle`() throws {
        let circle = try white(100, 100).applying(.circle)
        let area = circle.pixels.joined().reduce(0.0) { $0 + Double($1.alpha) / 255 }
        #expect(abs(area - .pi * 50 * 50) < 2)
    }

    @Test(.requirement("S4.28")) func `Square is the middle, as long as the shorter side`() throws {
        let bitmap = try Bitmap.numbered(7, 4)
        #expect(try bitmap.applying(.square).pixels == bitmap.pixels.map { Array($0[1...4]) })
    }

    @Test(.requirement("S4.28")) func `Resize gives the shorter side its length and leaves smaller images alone`()
        throws
    {
        #expect(try white(90, 60).applying(.resize(shortSide: 20)).size == PixelSize(width: 30, height: 20))
        #expect(try white(60, 90).applying(.resize(shortSide: 20)).size == PixelSize(width: 20, height: 30))
        let small = try white(90, 60)
        #expect(try small.applying(.resize(shortSide: 60)).isIdentical(to: small))
        #expect(try small.applying(.resize(shortSide: 61)).isIdentical(to: small))
    }

    @Test(.requirement("S4.28", "D4.13"))
    func `fill, which is AWebImage's Crop, gives exactly the size asked, enlarging if need be, also for zero`()
        throws
    {
        for (width, height) in [(90, 60), (60, 90), (10, 10), (1, 500)] {
            #expect(
                try white(width, height).applying(.fill(width: 40, height: 30)).size == PixelSize(width: 40, height: 30)
            )
            #expect(
                try white(width, height).applying(.fill(width: 0, height: 0)).size == PixelSize(width: 1, height: 1))
        }
        let thirds = try Bitmap.drawn(90, 30) { x, _ in .gray([10, 20, 30][x / 30]) }
        // Away from the edge, where the filter still includes the other thirds.
        #expect(try thirds.applying(.fill(width: 10, height: 10)).pixels[5][5] == .gray(20))
        #expect(try thirds.applying(.fill(width: 10, height: 10, gravity: .right)).pixels[5][9] == .gray(30))
    }

    @Test(arguments: [(61, 47), (47, 61), (300, 20), (1, 50), (20, 20)])
    func `fill shows the same pixels as scaling the whole image and cutting it then`(width: Int, height: Int) throws {
        let noise = try Pictures.noise(width, height)
        for gravity in [Gravity.center, .topLeft, .bottomRight, Gravity(x: 0.3, y: 0.8)] {
            for (side, upscales) in [(20, false), (7, false), (90, true)] {
                let target = ResizeTarget(width: side, height: 20, mode: .fill, upscales: upscales, gravity: gravity)
                let whole = try noise.scaled(to: target.scaledSize(for: noise.size))
                let expected = try whole.applying(.crop(to: target.croppedSize(for: noise.size), gravity: gravity))
                #expect(try noise.applying(ImageSteps.Resize(target)).pixels == expected.pixels, "\(gravity), \(side)")
            }
        }
    }

    @Test func `fill keeps what gravity asks`() throws {
        let thirds = try Bitmap.drawn(90, 30) { x, _ in .gray([10, 20, 30][x / 30]) }
        let left = ImageSteps.Resize(ResizeTarget(width: 15, height: 15, mode: .fill, gravity: .left))
        #expect(try thirds.applying(left).pixels[7][0] == .gray(10))
    }

    private func expectMirrored(_ bitmap: Bitmap) throws {
        #expect(bitmap.pixels == bitmap.pixels.reversed())
        #expect(bitmap.pixels == bitmap.pixels.map { $0.reversed() })
    }
}
