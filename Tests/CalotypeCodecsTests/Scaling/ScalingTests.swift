import CalotypeCodecs
import Requirements
import Testing

@Suite struct ScalingTests {
    @Test func `the box filter averages two by two at half the size`() throws {
        let chequered = try Bitmap.drawn(4, 4) { x, y in .gray((x + y) % 2 == 0 ? 0 : 100) }
        let half = try chequered.scaled(to: PixelSize(width: 2, height: 2), filter: .box)
        #expect(half.distinctPixels == [.gray(50)])
    }

    @Test(arguments: [ResizeFilter.box, .bilinear, .catmullRom, .lanczos3])
    func `a checkerboard becomes the mean of its values, 128, not of its light`(_ filter: ResizeFilter) throws {
        let board = try Bitmap.drawn(64, 64) { x, y in .gray((x + y) % 2 == 0 ? 0 : 255) }
        let small = try board.scaled(to: PixelSize(width: 8, height: 8), filter: filter)
        #expect(small.distinctPixels.allSatisfy { abs(Int($0.red) - 128) <= 1 }, "\(small.distinctPixels)")
        let file = try board.encoded(as: .png).decoded(ResizeTarget(width: 8, filter: filter))
        #expect(file.distinctPixels.allSatisfy { abs(Int($0.red) - 128) <= 1 }, "\(file.distinctPixels)")
    }

    @Test func `the box filter averages three by three at a third, rather than picking one`() throws {
        let dotted = try Bitmap.drawn(9, 9) { x, y in x % 3 == 1 && y % 3 == 1 ? .gray(90) : .gray(0) }
        let third = try dotted.scaled(to: PixelSize(width: 3, height: 3), filter: .box)
        #expect(third.distinctPixels == [.gray(10)])
    }

    @Test func `to the box filter, pixels on the border of two results count for both by area`() throws {
        let columns = try Bitmap.drawn(3, 1) { x, _ in .gray([0, 90, 240][x]) }
        let two = try columns.scaled(to: PixelSize(width: 2, height: 1), filter: .box)
        #expect(two.pixels == [[.gray(30), .gray(190)]])
    }

    @Test func `twice the size interpolates between neighbours, or keeps squares`() throws {
        let pair = try Bitmap.drawn(2, 1) { x, _ in .gray(x == 0 ? 0 : 200) }
        let size = PixelSize(width: 4, height: 1)
        #expect(
            try pair.scaled(to: size, filter: .bilinear).pixels == [[.gray(0), .gray(50), .gray(150), .gray(200)]])
        #expect(try pair.scaled(to: size, filter: .box).pixels == [[.gray(0), .gray(0), .gray(200), .gray(200)]])
    }

    @Test(arguments: [
        (1, 1), (2, 2), (3, 3), (7, 5), (13, 11), (20, 17), (31, 40), (64, 32), (65, 33), (100, 1), (1, 100),
    ])
    func `plain white stays white and opaque at every size`(width: Int, height: Int) throws {
        for source in [PixelSize(width: 64, height: 32), PixelSize(width: 37, height: 53)] {
            let white = try Bitmap.drawn(source.width, source.height) { _, _ in .white }
            let scaled = try white.scaled(to: PixelSize(width: width, height: height))
            #expect(scaled.size == PixelSize(width: width, height: height))
            #expect(scaled.distinctPixels == [.white])
            #expect(!scaled.hasAlpha)
        }
    }

    @Test func `colors never exceed their alpha`() throws {
        let source = try Bitmap.drawn(50, 50, hasAlpha: true) { x, y in
            let alpha = UInt8((x * 37 + y * 91) % 256)
            return Pixel(alpha, alpha / 2, UInt8(Int(alpha) * x / 50), alpha)
        }
        for side in [3, 7, 25, 33, 49, 77] {
            let scaled = try source.scaled(to: PixelSize(width: side, height: side + 1))
            #expect(scaled.hasAlpha)
            #expect(scaled.distinctPixels.allSatisfy { max($0.blue, $0.green, $0.red) <= $0.alpha })
        }
    }

    /// Draws a disc of one color on transparent pixels, like a logo.
    static func logo(_ width: Int, _ height: Int, _ color: Pixel) throws(CodecError) -> Bitmap {
        try Bitmap.drawn(width, height, hasAlpha: true) { x, y in
            let (dx, dy) = (Double(x) + 0.5 - Double(width) / 2, Double(y) + 0.5 - Double(height) / 2)
            return (dx * dx + dy * dy).squareRoot() < Double(min(width, height)) * 0.4 ? color : .clear
        }
    }

    @Test(arguments: [(1200, 900, 400), (1200, 900, 700), (90, 60, 200)], [ResizeFilter.automatic, .catmullRom])
    func `opaque pixels of a logo keep their color beside transparent ones`(
        size: (width: Int, height: Int, target: Int), filter: ResizeFilter
    ) throws {
        let color = Pixel(40, 20, 230)
        let logo = try Self.logo(size.width, size.height, color)
        let target = PixelSize(width: size.target, height: size.target * size.height / size.width)
        let scaled = try logo.scaled(to: target, filter: filter)
        let opaque = scaled.pixels.joined().filter { $0.alpha == 255 }
        #expect(opaque.count > target.width * target.height / 5)
        #expect(Set(opaque) == [color])
    }

    @Test func `large factors keep the average brightness`() throws {
        let ramp = try Bitmap.drawn(640, 480) { x, _ in .gray(UInt8(x * 255 / 639)) }
        let tiny = try ramp.scaled(to: PixelSize(width: 4, height: 3))
        let expected = [32, 96, 159, 223]
        // A filter that overshoots finds no mirrored ramp beyond the edge.
        for (x, level) in expected.enumerated() { #expect(abs(Int(tiny[x, 1].red) - level) <= (x % 3 == 0 ? 8 : 3)) }
    }

    @Test func `images of 40,000 columns scale as well`() throws {
        let wide = try Bitmap.drawn(40_000, 2) { x, _ in .gray(x < 20_000 ? 10 : 200) }
        let narrow = try wide.scaled(to: PixelSize(width: 4, height: 1))
        let plain = try wide.scaled(to: PixelSize(width: 4, height: 1), filter: .box)
        let expected = try Bitmap.drawn(4, 1) { x, _ in .gray(x < 2 ? 10 : 200) }
        #expect(try #require(plain.worstDistance(to: expected)) <= 8)
        #expect(try #require(narrow.worstDistance(to: plain)) < 30)
    }

    @Test func `the same size is the same bitmap`() throws {
        let bitmap = try Bitmap.numbered(5, 4)
        #expect(try bitmap.scaled(to: bitmap.size).isIdentical(to: bitmap))
    }

    @Test(.requirement("B65")) func `sizes that make no sense are clamped or refused, never a crash`() throws {
        let bitmap = try Bitmap.numbered(5, 4)
        #expect(try bitmap.scaled(to: PixelSize(width: 0, height: -7)).size == PixelSize(width: 1, height: 1))
        for side in [1 << 21, 1 << 40, Int.max] {
            let error = #expect(throws: CodecError.self) { try bitmap.scaled(to: PixelSize(width: side, height: side)) }
            #expect(error?.code == .tooLarge)
            #expect(error?.message.contains("\(side)") == true)
        }
        #expect(throws: CodecError.self) { try bitmap.scaled(to: PixelSize(width: 1 << 22, height: 1)) }
    }
}
