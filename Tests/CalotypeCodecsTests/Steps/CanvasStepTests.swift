import CalotypeCodecs
import Testing

@Suite struct TrimTests {
    private func framed(_ border: Pixel) throws -> Bitmap {
        try Bitmap.drawn(12, 9) { x, y in (3...7).contains(x) && (2...5).contains(y) ? Pixel(10, 20, 200) : border }
    }

    @Test func `a border of one color goes, on each side by its own width`() throws {
        let trimmed = try framed(.white).applying(.trim)
        #expect(trimmed.size == PixelSize(width: 5, height: 4) && trimmed.distinctPixels == [Pixel(10, 20, 200)])
        #expect(try framed(.clear).applying(.trim).size == PixelSize(width: 5, height: 4))
    }

    @Test func `a single pixel that differs is kept`() throws {
        let dot = try Bitmap.drawn(9, 9) { x, y in x == 6 && y == 1 ? .black : .white }
        #expect(try dot.applying(.trim).size == PixelSize(width: 1, height: 1))
        let two = try Bitmap.drawn(9, 9) { x, y in (x == 6 && y == 1) || (x == 2 && y == 8) ? .black : .white }
        #expect(try two.applying(.trim).size == PixelSize(width: 5, height: 8))
    }

    @Test func `noise within the tolerance belongs to the border`() throws {
        let noisy = try Bitmap.drawn(9, 9) { x, y in
            x == 4 && y == 4 ? .black : .gray(UInt8(245 + (x * 7 + y * 3) % 10))
        }
        #expect(try noisy.applying(ImageSteps.Trim(tolerance: 10)).size == PixelSize(width: 1, height: 1))
        #expect(try noisy.applying(ImageSteps.Trim(tolerance: 2)).size != PixelSize(width: 1, height: 1))
    }

    @Test func `a color can be named, and an image of one color stays whole`() throws {
        #expect(try framed(.white).applying(ImageSteps.Trim(.black)).size == PixelSize(width: 12, height: 9))
        #expect(try framed(.black).applying(ImageSteps.Trim(.black)).size == PixelSize(width: 5, height: 4))
        let plain = try Bitmap.drawn(5, 5) { _, _ in .white }
        #expect(try plain.applying(.trim).isIdentical(to: plain))
    }
}

@Suite struct CanvasStepTests {
    @Test func `a color is read as it is written`() {
        for color in [ImageColor.black, .white, .clear, ImageColor(red: 1, green: 0xAB, blue: 9, alpha: 8)] {
            #expect(ImageColor(color.description) == color)
        }
        #expect(ImageColor("#F80") == ImageColor(red: 255, green: 136, blue: 0))
        #expect(ImageColor("Clear") == .clear)
        for text in ["", "#", "#12", "#12345", "#1234567", "#ggg", "123456", "#١٢٣", "mauve"] {
            #expect(ImageColor(text) == nil, "\(text)")
        }
    }

    @Test func `a background shows where the image is transparent, and only there`() throws {
        let veil = try Bitmap.drawn(3, 1, hasAlpha: true) { x, _ in
            [Pixel.clear, Pixel(0, 0, 255).premultiplied(128), .gray(9)][x]
        }
        let flat = try veil.applying(.background(.white))
        #expect(!flat.hasAlpha && flat[0, 0] == .white && flat[2, 0] == .gray(9))
        #expect(flat[1, 0].isClose(to: Pixel(127, 127, 255), within: 1))
        let half = try veil.applying(.background(ImageColor(red: 0, green: 255, blue: 0, alpha: 51)))
        #expect(half.hasAlpha && half[0, 0] == Pixel(0, 51, 0, 51) && half[2, 0] == .gray(9))
        let opaque = try Bitmap.numbered(4, 4)
        #expect(try opaque.applying(.background(.white)).isIdentical(to: opaque))
    }

    @Test func `a frame lies on the inner edge and leaves the size`() throws {
        let picture = try Bitmap.drawn(10, 8) { _, _ in .white }
        let framed = try picture.applying(.border(width: 2, color: .black))
        for y in 0..<8 {
            for x in 0..<10 {
                let isInside = (2..<8).contains(x) && (2..<6).contains(y)
                #expect(framed[x, y] == (isInside ? .white : .gray(0)), "\(x), \(y)")
            }
        }
        #expect(framed.size == picture.size && !framed.hasAlpha)
        #expect(try picture.applying(.border(width: 99, color: .black)).distinctPixels == [.gray(0)])
        #expect(try picture.applying(.border(width: .nan, color: .black)).isIdentical(to: picture))
    }

    @Test func `a round frame follows the corners, and outside them is nothing`() throws {
        let picture = try Bitmap.drawn(40, 40) { _, _ in .white }
        let ring = try picture.applying(.border(width: 4, color: .black, radius: 20))
        #expect(ring[0, 0] == .clear && ring[20, 20] == .white && ring[20, 1] == .gray(0) && ring[38, 20] == .gray(0))
        #expect(ring[20, 5] == .white)
        #expect(ring.distinctPixels.allSatisfy { max($0.red, $0.green, $0.blue) <= $0.alpha })
    }

    @Test func `squares have the average color of what they cover, those at the edge too`() throws {
        let picture = try Bitmap.drawn(5, 3) { x, y in .gray(UInt8(10 * x + 100 * y)) }
        let coarse = try picture.applying(.pixelate(2))
        #expect(coarse[0, 0] == .gray(55) && coarse[1, 1] == .gray(55) && coarse[2, 0] == .gray(75))
        #expect(coarse[4, 0] == .gray(90) && coarse[4, 2] == .gray(240) && coarse[0, 2] == .gray(205))
        #expect(try picture.applying(.pixelate(1)).isIdentical(to: picture))
        #expect(try picture.applying(.pixelate(.max)).distinctPixels.count == 1)
    }

    @Test func `tint keeps black, turns white into the color, and mixes by its amount`() throws {
        let orange = ImageColor(red: 255, green: 128, blue: 0)
        let picture = try Bitmap.drawn(3, 1) { x, _ in [.gray(0), .white, .gray(100)][x] }
        let tinted = try picture.applying(.tint(orange))
        #expect(tinted[0, 0] == .gray(0) && tinted[1, 0].isClose(to: Pixel(0, 128, 255), within: 1))
        #expect(tinted[2, 0].isClose(to: Pixel(0, 50, 100), within: 1))
        #expect(try picture.applying(.tint(orange, amount: 0.5))[1, 0].isClose(to: Pixel(128, 192, 255), within: 1))
        #expect(try picture.applying(.tint(orange, amount: 0)).isIdentical(to: picture))
    }
}

@Suite struct OverlayTests {
    private let base = Result { try Bitmap.drawn(20, 10) { _, _ in .white } }

    private func mark(_ width: Int, _ height: Int) throws -> Bitmap {
        try Bitmap.drawn(width, height) { _, _ in .gray(0) }
    }

    private func covered(_ bitmap: Bitmap) -> PixelRect? {
        let places = (0..<bitmap.height).flatMap { y in (0..<bitmap.width).map { ($0, y) } }
            .filter { bitmap[$0.0, $0.1] == .gray(0) }
        guard let left = places.map(\.0).min(), let right = places.map(\.0).max(), let top = places.map(\.1).min(),
            let bottom = places.map(\.1).max(), places.count == (right - left + 1) * (bottom - top + 1)
        else { return nil }
        return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }

    @Test func `an overlay lies where gravity says, in its own size`() throws {
        let base = try base.get(), mark = try mark(4, 3)
        #expect(covered(try base.applying(.overlay(mark))) == PixelRect(x: 8, y: 3, width: 4, height: 3))
        #expect(
            covered(try base.applying(.overlay(mark, gravity: .bottomRight)))
                == PixelRect(x: 16, y: 7, width: 4, height: 3))
    }

    @Test func `scale is a share of the width, and one too large is made to fit`() throws {
        let base = try base.get()
        #expect(
            covered(try base.applying(.overlay(mark(4, 2), gravity: .topLeft, scale: 0.5)))
                == PixelRect(x: 0, y: 0, width: 10, height: 5))
        #expect(
            covered(try base.applying(.overlay(mark(80, 20), gravity: .topLeft)))
                == PixelRect(x: 0, y: 0, width: 20, height: 5))
        #expect(covered(try base.applying(.overlay(mark(4, 40), gravity: .topLeft, scale: 1)))?.height == 10)
    }

    @Test func `opacity and the overlay's own transparency let the image through`() throws {
        let base = try base.get()
        #expect(try base.applying(.overlay(mark(20, 10), opacity: 0.5)).distinctPixels == [.gray(127)])
        let veil = try Bitmap.drawn(20, 10, hasAlpha: true) { _, _ in Pixel(0, 0, 0, 51) }
        #expect(try base.applying(.overlay(veil)).distinctPixels == [.gray(204)])
        #expect(try base.applying(.overlay(mark(3, 3), opacity: 0)).isIdentical(to: base))
    }

    @Test func `equal pixels make equal overlays`() throws {
        #expect(try ImageSteps.Overlay(Pictures.veil(9, 7)) == ImageSteps.Overlay(Pictures.veil(9, 7)))
        #expect(try ImageSteps.Overlay(Bitmap.numbered(9, 7)) != ImageSteps.Overlay(Bitmap.numbered(7, 9)))
    }
}

@Suite struct AttentionTests {
    /// Draws a plain background with one patch.
    private func scene(_ left: Int, _ top: Int, width: Int = 400, height: Int = 200) throws -> Bitmap {
        try Bitmap.drawn(width, height) { x, y in
            guard (left..<left + 60).contains(x), (top..<top + 60).contains(y) else { return .gray(120) }
            return (x / 6 + y / 6) % 2 == 0 ? Pixel(110, 140, 195) : Pixel(20, 20, 160)
        }
    }

    @Test(arguments: [0, 40, 170, 300, 340])
    func `a crop keeps the patch that stands out, wherever it is`(left: Int) throws {
        let wide = try scene(left, 70).applying(.square(gravity: .attention))
        #expect(wide.size == PixelSize(width: 200, height: 200))
        #expect(wide.pixels.joined().count { $0 != .gray(120) } == 3600)
        let high = try scene(70, left, width: 200, height: 400)
            .applying(.fill(width: 100, height: 100, gravity: .attention))
        #expect(high.size == PixelSize(width: 100, height: 100))
        #expect(high.pixels.joined().count { $0.red > 140 } > 700)
    }

    @Test func `a decode to a target places its crop the same way`() throws {
        let file = try scene(330, 70).encoded(as: .png)
        let target = ResizeTarget(width: 100, height: 100, mode: .fill, gravity: .attention)
        let bitmap = try DecoderRegistry.standard.plan(for: file, target: target).decode()
        #expect(bitmap.size == PixelSize(width: 100, height: 100))
        #expect(bitmap.pixels.joined().count { $0.red > 140 } > 700)
    }

    @Test func `a plain image is cut around its middle, and tiny ones do no harm`() throws {
        let plain = try Bitmap.drawn(300, 100) { x, _ in x == 150 ? .gray(1) : .gray(0) }
        #expect(try plain.applying(.square(gravity: .attention)).distinctPixels.count == 2)
        for size in [(1, 9), (9, 1), (2, 1), (1, 300)] {
            let bitmap = try Bitmap.drawn(size.0, size.1) { _, _ in .white }
            #expect(try bitmap.applying(.square(gravity: .attention)).size == PixelSize(width: 1, height: 1))
        }
    }
}
