import Foundation
import Testing

@testable import CalotypeCodecs

/// PNG files take the smallest layout that loses nothing (PNG, section 11.2.2).
struct PNGLayoutTests {
    /// The color type and the bit depth in IHDR.
    private func layout(_ file: Data) -> [UInt8] { [file[25], file[24]] }

    private static func color(_ number: Int, alpha: UInt8 = 255) -> Pixel {
        Pixel(UInt8(number * 7 & 255), UInt8(number >> 2 & 255), UInt8(number * 31 & 255)).premultiplied(alpha)
    }

    @Test(arguments: [
        (1, 1), (2, 1), (3, 2), (4, 2), (5, 4), (16, 4), (17, 8), (255, 8), (256, 8),
    ])
    func `up to 256 colors are a palette of the fewest bits`(count: Int, bits: Int) throws {
        // An odd width, whose last byte is not full.
        let drawn = try Bitmap.drawn(131, 40) { x, y in Self.color((x + 131 * y) % count) }
        let file = try drawn.encoded(as: .png)
        #expect(layout(file) == [3, UInt8(bits)])
        #expect(try file.decoded().worstDistance(to: drawn) == 0)
        #expect(try !file.decoded().hasAlpha)
    }

    @Test func `257 colors are RGB`() throws {
        let drawn = try Bitmap.drawn(131, 40) { x, y in Self.color((x + 131 * y) % 257) }
        let file = try drawn.encoded(as: .png)
        #expect(layout(file) == [2, 8])
        #expect(try file.decoded().worstDistance(to: drawn) == 0)
    }

    @Test(arguments: [2, 3, 17, 256])
    func `a palette has the alpha of its colors, translucent ones first`(count: Int) throws {
        let drawn = try Bitmap.drawn(64, 64, hasAlpha: true) { x, y in
            let number = (x + 64 * y) % count
            return number % 2 == 0 ? Self.color(number) : Self.color(number, alpha: UInt8(number))
        }
        let file = try drawn.encoded(as: .png)
        #expect(layout(file)[0] == 3)
        let translucent = try #require(file.range(of: Data("tRNS".utf8)))
        // Every second color, but the last of 256 is opaque.
        #expect(Int(file[translucent.lowerBound - 1]) == min(count / 2, 127))
        #expect(try file.decoded().worstDistance(to: drawn) == 0)
    }

    @Test func `gray without and with alpha has one channel, and two`() throws {
        let gray = try Bitmap.drawn(256, 64) { x, _ in Pixel(UInt8(x), UInt8(x), UInt8(x)) }
        let file = try gray.encoded(as: .png)
        #expect(layout(file) == [0, 8])
        #expect(try file.decoded().worstDistance(to: gray) == 0)
        let clear = try Bitmap.drawn(256, 64, hasAlpha: true) { x, y in
            Pixel(UInt8(x), UInt8(x), UInt8(x)).premultiplied(UInt8(4 * y))
        }
        let shaded = try clear.encoded(as: .png)
        #expect(layout(shaded) == [4, 8])
        #expect(try shaded.decoded().worstDistance(to: clear) == 0)
    }

    @Test func `gray of a few levels is a palette, and one other color ends gray`() throws {
        let steps = try Bitmap.drawn(64, 64) { x, _ in Pixel(UInt8(x / 16 * 60), UInt8(x / 16 * 60), UInt8(x / 16 * 60))
        }
        #expect(layout(try steps.encoded(as: .png)) == [3, 2])
        let tinted = try Bitmap.drawn(256, 64) { x, y in
            (x, y) == (255, 63) ? .red : Pixel(UInt8(x), UInt8(x), UInt8(x))
        }
        #expect(layout(try tinted.encoded(as: .png))[0] != 0)
        #expect(try tinted.encoded(as: .png).decoded().worstDistance(to: tinted) == 0)
    }

    @Test func `a small image with many colors is not made larger by a palette`() throws {
        let drawn = try Bitmap.drawn(15, 15) { x, y in Self.color(x + 15 * y) }
        #expect(layout(try drawn.encoded(as: .png)) == [2, 8])
    }

    @Test func `an opaque bitmap whose alpha bytes differ has one color for one color`() throws {
        let drawn = try Bitmap.drawn(64, 64) { x, _ in Pixel(10, 20, 30, x % 2 == 0 ? 0 : 255) }
        let file = try drawn.encoded(as: .png)
        #expect(layout(file) == [3, 1])
        #expect(try file.decoded()[0, 0] == Pixel(10, 20, 30))
    }
}
