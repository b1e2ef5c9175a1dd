import CalotypeBase
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

struct ColorPaletteTests {
    private func color(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8 = 255) -> ImageColor {
        ImageColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    @Test func `few colors are themselves, the most frequent first`() throws {
        let bitmap = try Bitmap.drawn(10, 10) { x, _ in x < 5 ? .red : x < 8 ? .blue : .white }
        let palette = ColorPalette(bitmap, limit: 16)
        #expect(palette.swatches.map(\.color) == [color(255, 0, 0), color(0, 0, 255), .white])
        #expect(palette.swatches.map(\.weight) == [50, 30, 20])
        #expect(ColorPalette(bitmap, limit: 2).swatches.count == 2)
    }

    @Test(arguments: [2, 3, 16, 256]) func `a photograph has no more colors than wanted`(limit: Int) {
        let bitmap = SamplePhotos.bitmap(width: 128, height: 96)
        let palette = ColorPalette(bitmap, limit: limit)
        #expect(palette.swatches.count == limit)
        #expect(palette == ColorPalette(bitmap, limit: limit))
        #expect(palette.swatches.map(\.weight) == palette.swatches.map(\.weight).sorted(by: >))
        #expect(abs(palette.swatches.reduce(0) { $0 + $1.weight } - 128 * 96) <= limit)
    }

    @Test func `fully transparent pixels have no color, and others count by their opacity`() throws {
        let clear = try Bitmap.drawn(8, 8, hasAlpha: true) { _, _ in Pixel(0, 0, 0, 0) }
        #expect(ColorPalette(clear, limit: 4).swatches.isEmpty)
        let half = try Bitmap.drawn(8, 8, hasAlpha: true) { x, _ in x < 4 ? Pixel(0, 0, 128, 128) : Pixel(0, 0, 0, 0) }
        #expect(ColorPalette(half, limit: 4).swatches.map(\.color) == [color(255, 0, 0, 128)])
    }

    @Test func `the average opacity is that of all pixels, or of those that are not clear`() throws {
        let half = try Bitmap.drawn(8, 8, hasAlpha: true) { x, _ in x < 4 ? .red : Pixel(0, 0, 0, 0) }
        #expect(half.averageColor(ignoringTransparent: true) == color(255, 0, 0))
        #expect(half.averageColor(ignoringTransparent: false) == color(255, 0, 0, 128))
        #expect(half.averageColor == half.averageColor(ignoringTransparent: false))
        let clear = try Bitmap.drawn(2, 2, hasAlpha: true) { _, _ in Pixel(0, 0, 0, 0) }
        #expect(clear.averageColor(ignoringTransparent: true) == .clear)
    }

    // MARK: Named colors

    @Test func `vivid and muted colors have their names by lightness`() throws {
        let stripes = [
            color(255, 0, 0), color(255, 128, 128), color(128, 0, 0), color(140, 110, 110), color(200, 180, 180),
            color(70, 50, 50),
        ]
        let bitmap = try Bitmap.drawn(60, 10) { x, _ in
            Pixel(stripes[x / 10].blue, stripes[x / 10].green, stripes[x / 10].red)
        }
        let found = DominantColors(bitmap).colors
        #expect(
            found[.vibrant] == stripes[0] && found[.lightVibrant] == stripes[1] && found[.darkVibrant] == stripes[2])
        #expect(found[.muted] == stripes[3] && found[.lightMuted] == stripes[4] && found[.darkMuted] == stripes[5])
    }

    @Test func `a color that the image lacks has no name, or is derived`() throws {
        let red = try Bitmap.drawn(8, 8) { _, _ in .red }
        #expect(DominantColors(red).colors == [.vibrant: color(255, 0, 0)])
        let built = DominantColors(red, buildsMissing: true).colors
        #expect(Set(built.keys) == Set(DominantColors.Kind.allCases))
        #expect(built[.vibrant] == color(255, 0, 0) && built[.darkVibrant] == color(133, 0, 0))
        #expect(built[.lightVibrant] == color(255, 122, 122) && built[.muted] == color(166, 89, 89))
        let clear = try Bitmap.drawn(2, 2, hasAlpha: true) { _, _ in Pixel(0, 0, 0, 0) }
        #expect(DominantColors(clear, buildsMissing: true).colors.isEmpty)
    }

    @Test func `grays stay gray`() throws {
        let gray = try Bitmap.drawn(8, 8) { _, _ in Pixel(128, 128, 128) }
        #expect(DominantColors(gray).colors == [.muted: color(128, 128, 128)])
        #expect(
            DominantColors(gray, buildsMissing: true).colors.values.allSatisfy {
                $0.red == $0.green && $0.green == $0.blue
            })
    }

    // MARK: Curves

    @Test func `the names of code points tell the curve`() {
        #expect(DynamicRange(colors: "BT.2020 PQ") == .pq && DynamicRange(colors: "Display P3 HLG") == .hlg)
        for name in ["sRGB", "BT.2020", "Display P3 linear", "", "My own PQ"] {
            #expect(DynamicRange(colors: name) == nil)
        }
    }
}
