import CalotypeTesting
@testable import CalotypeCodecs
import Foundation
import Testing

/// PNG files take the filters and the search that suit the image.
@Suite struct PNGCompressionTests {
    private func chosen(_ bitmap: Bitmap) throws -> PNGCompression {
        try bitmap.withUnsafeBytes { pixels in
            let rows = BitmapRows(bitmap, pixels)
            return try PNGCompression(rows, PNGLayout(rows))
        }
    }

    private func file(_ bitmap: Bitmap, _ compression: PNGCompression, isInterlaced: Bool = false) throws -> Data {
        try bitmap.withUnsafeBytes { pixels in
            let rows = BitmapRows(bitmap, pixels)
            return try PNGEncoder.file(of: rows, PNGLayout(rows), compression, isInterlaced: isInterlaced)
        }
    }

    @Test func `a photograph takes runs, and text takes repeats`() throws {
        #expect(try chosen(SamplePhotos.bitmap(width: 400, height: 300)) != .repeats)
        #expect(try chosen(Pictures.noise(200, 200)) == .runs)
        let text = try Pictures.text()
        #expect(try chosen(text) == .repeats)
        #expect(try file(text, .repeats).count < file(text, .differences).count)
    }

    @Test func `the chosen file is at most a tenth larger than the smallest`() throws {
        for image in [
            try Pictures.text(), SamplePhotos.bitmap(width: 400, height: 300), try Pictures.gradient(300, 200),
        ] {
            let smallest = try PNGCompression.allCases.map { try file(image, $0).count }.min() ?? 0
            #expect(try image.encoded(as: .png).count <= smallest * 11 / 10)
        }
    }

    @Test(arguments: PNGCompression.allCases, [false, true])
    func `all small sizes give back every pixel, interlaced or not`(
        compression: PNGCompression, isInterlaced: Bool
    ) throws {
        for side in 1...70 {
            let (noise, veil) = (try Pictures.noise(side, 71 - side), try Pictures.veil(71 - side, side))
            let few = try Bitmap.drawn(side, 71 - side) { x, y in Pixel(UInt8((x + y) % 5 * 50), 0, UInt8(x % 3)) }
            for image in [noise, veil, few] {
                let data = try file(image, compression, isInterlaced: isInterlaced)
                #expect(data[28] == (isInterlaced ? 1 : 0))
                #expect(try data.decoded().worstDistance(to: image) == 0)
            }
        }
    }

    @Test func `the same image gives the same bytes`() throws {
        let image = try Pictures.gradient(300, 200)
        #expect(try image.encoded(as: .png) == image.encoded(as: .png))
    }
}

/// PNG files of few colors, on request.
@Suite struct PNGQuantizerTests {
    private func colors(_ file: Data) throws -> Int {
        var colors = Set<Pixel>()
        let bitmap = try file.decoded()
        for y in 0..<bitmap.height {
            for x in 0..<bitmap.width { colors.insert(bitmap[x, y]) }
        }
        return colors.count
    }

    @Test func `text with soft edges and shades keeps its look in a palette, in fewer bytes`() throws {
        let image = try Pictures.text()
        let all = try image.encoded(as: .png)
        let few = try image.encoded(as: .png(isInterlaced: false, colorLimit: 256))
        #expect(few[25] == 3 && all[25] == 2 && few.count < all.count, "a palette instead of RGB")
        #expect(try colors(few) <= 256 && #require(few.decoded().worstDistance(to: image)) <= 24)
        #expect(try few == image.encoded(as: .png(isInterlaced: false, colorLimit: 256)), "the same bytes each time")
    }

    @Test func `a gradient, which takes fewer bytes in all of its colors, keeps them`() throws {
        let image = try Bitmap.drawn(120, 90) { x, y in Pixel(UInt8(x / 4 * 2), UInt8(y / 5 * 3), 30) }
        let file = try image.encoded(as: .png(isInterlaced: false, colorLimit: 256))
        #expect(try file.decoded().worstDistance(to: image) == 0)
    }

    @Test func `an image of as many colors as allowed loses nothing`() throws {
        let image = try Bitmap.drawn(64, 64, hasAlpha: true) { x, y in
            Pixel(UInt8(x % 8 * 30), 0, 9).premultiplied(UInt8(y % 8 * 36))
        }
        let file = try image.encoded(as: .png(isInterlaced: true, colorLimit: 64))
        #expect(try file.decoded().worstDistance(to: image) == 0)
    }

    @Test func `noise, which no palette holds, stays as it is`() throws {
        let noise = try Pictures.noise(90, 70)
        let file = try noise.encoded(as: .png(isInterlaced: false, colorLimit: 256))
        #expect(try file.decoded().worstDistance(to: noise) == 0)
    }

    @Test func `colors never exceed their alpha, and clear pixels stay clear`() throws {
        let veil = try Bitmap.drawn(96, 96, hasAlpha: true) { x, y in
            x < 20 ? .clear : Pixel(UInt8(x * 2), 40, UInt8(y)).premultiplied(UInt8(y * 2))
        }
        let few = try veil.quantized(to: 256) ?? veil
        for y in 0..<96 {
            for x in 0..<96 {
                let pixel = few[x, y]
                #expect(max(pixel.blue, pixel.green, pixel.red) <= pixel.alpha)
                if x < 20 { #expect(pixel == .clear) }
            }
        }
    }
}
