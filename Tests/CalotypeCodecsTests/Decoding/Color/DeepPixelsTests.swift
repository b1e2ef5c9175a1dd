import CLcms2
import CSpng
import CalotypeBase
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

/// Pixels of 16 bits between a decoder and its bitmap: how they are scaled, converted and rounded.
@Suite struct DeepPixelsTests {
    private typealias Color = SIMD4<UInt16>

    /// Pixels that are scaled and rounded.
    private struct Drawn {
        let size: PixelSize
        var hasAlpha = false
        let color: (_ x: Int, _ y: Int) -> Color

        private func read(_ take: (DeepRow) -> Void) throws(CodecError) {
            for y in 0..<size.height {
                let pixels = try DeepPixels(width: size.width)
                for x in 0..<size.width { pixels.row(0)[x] = color(x, y) }
                take(pixels.row(0))
            }
        }

        func scaled(to size: PixelSize, by filter: ResizeFilter) throws -> [[Color]] {
            let scaler = try DeepScaler(ImageScaling(from: ImageExtent(self.size), to: size, filter: filter))
            var rows: [[Color]] = []
            try read { scaler.add($0) { rows.append(Array($0)) } }
            scaler.finish { rows.append(Array($0)) }
            return rows
        }

        func rounded() throws -> Bitmap {
            try DeepConversion(nil, within: .sRGB).bitmap(size, hasAlpha: hasAlpha) { (take) throws(CodecError) in
                try read(take)
            }
        }
    }

    private func deep(
        _ width: Int, _ height: Int, hasAlpha: Bool = false, _ color: @escaping (_ x: Int, _ y: Int) -> Color
    ) -> Drawn {
        Drawn(size: PixelSize(width: width, height: height), hasAlpha: hasAlpha, color: color)
    }

    private func gray(_ value: Int) -> Color { Color(UInt16(value), UInt16(value), UInt16(value), .max) }

    // MARK: Scaling

    /// Samples of a smooth image with some noise.
    private func wave(_ x: Int, _ y: Int) -> Color {
        func value(_ phase: Double) -> UInt16 {
            let wave = sin(Double(x) / 9 + phase) + cos(Double(y) / 7 - phase)
            return UInt16(32_768 + 14_000 * wave + Double((x * 7919 + y * 104_729) % 512))
        }
        return Color(value(0), value(1), value(2), .max)
    }

    @Test(arguments: [(333, 217, 40, 26), (64, 48, 64, 12), (1000, 9, 10, 1), (30, 20, 60, 40), (5, 5, 1, 1)])
    func `they are scaled as pixels of 8 bits are, with their own bits`(
        width: Int, height: Int, newWidth: Int, newHeight: Int
    ) throws {
        let size = PixelSize(width: newWidth, height: newHeight)
        for filter in [ResizeFilter.automatic, .box] {
            let bitmap = try Bitmap.drawn(width, height) { x, y in
                let color = wave(x, y) / 257
                return Pixel(UInt8(color.z), UInt8(color.y), UInt8(color.x))
            }
            let expected = try bitmap.scaled(to: size, filter: filter)
            // The same colors: those of 8 bits.
            let scaled = try deep(width, height) { x, y in
                var color = wave(x, y) / 257 &* 257
                color.w = .max
                return color
            }.scaled(to: size, by: filter)
            for y in 0..<newHeight {
                for x in 0..<newWidth {
                    let (own, pixel) = (scaled[y][x], expected[x, y])
                    #expect(own.w == .max)
                    for (own, value) in zip([own.x, own.y, own.z], [pixel.red, pixel.green, pixel.blue]) {
                        // The weights of 8 bits are applied to halved samples that were rounded.
                        #expect(abs(Double(own) / 257 - Double(value)) < 1.6, "\(x), \(y)")
                    }
                }
            }
        }
    }

    @Test func `one color stays the same to the last bit, at any size`() throws {
        for (width, height) in [(7, 3), (50, 31), (51, 100), (200, 300)] {
            let scaled = try deep(123, 77, hasAlpha: true) { _, _ in Color(1, 20_001, 40_003, 65_534) }
                .scaled(to: PixelSize(width: width, height: height), by: .automatic)
            for y in 0..<height {
                #expect(scaled[y].allSatisfy { $0 == Color(1, 20_001, 40_003, 65_534) })
            }
        }
    }

    @Test func `no color becomes brighter than its alpha`() throws {
        let scaled = try deep(40, 40, hasAlpha: true) { x, y in
            (x / 7 + y / 7).isMultiple(of: 2) ? Color(65_535, 0, 65_535, 65_535) : .zero
        }.scaled(to: PixelSize(width: 63, height: 63), by: .lanczos3)
        for y in 0..<63 { #expect(scaled[y].allSatisfy { max($0.x, $0.y, $0.z) <= $0.w }) }
    }

    /// Returns a pixel of a disc of one color, whose edge is soft over `soft` pixels.
    private func disc(_ x: Int, _ y: Int, _ color: SIMD3<Double>, soft: Double) -> Color {
        let distance = (pow(Double(x) - 59.5, 2) + pow(Double(y) - 59.5, 2)).squareRoot()
        let alpha = min(max((45 - distance) / soft, 0), 1)
        let stored = SIMD3<UInt16>(color * (alpha * 65_535).rounded())
        return Color(stored.x, stored.y, stored.z, UInt16((alpha * 65_535).rounded()))
    }

    @Test(arguments: [ResizeFilter.lanczos3, .catmullRom, .automatic, .bilinear], [0.01, 3])
    func `one color stays the same inside a transparent edge`(filter: ResizeFilter, soft: Double) throws {
        let color = SIMD3(0.8, 0.4, 0.1)
        for side in [29, 61, 119, 150] {
            let scaled = try deep(120, 120, hasAlpha: true) { x, y in disc(x, y, color, soft: soft) }
                .scaled(to: PixelSize(width: side, height: side), by: filter)
            var opaque = 0
            for pixel in scaled.joined() {
                let exact = color * Double(pixel.w)
                let own = SIMD3(Double(pixel.x), Double(pixel.y), Double(pixel.z))
                #expect(max(abs(own.x - exact.x), abs(own.y - exact.y), abs(own.z - exact.z)) < 3, "\(pixel)")
                if pixel.w == .max { opaque += 1 }
            }
            #expect(opaque > side * side / 6)
        }
    }

    // MARK: Rounding

    @Test func `a smooth part keeps its average, and differs from it by less than a step`() throws {
        for value in [1, 100, 128, 129, 1000, 32_768, 65_400] {
            let bitmap = try deep(16, 16) { _, _ in gray(value) }.rounded()
            let levels = bitmap.pixelValues.map { Int($0.x) }
            let mean = Double(levels.reduce(0, +)) / 256
            #expect(abs(mean - Double(value) / 257) <= 1 / 64, "\(value): \(mean)")
            #expect(levels.allSatisfy { abs(Double($0) - Double(value) / 257) < 1 })
            #expect(bitmap.pixelValues.allSatisfy { $0.x == $0.y && $0.y == $0.z && $0.w == 255 })
        }
    }

    @Test func `a value that 8 bits can hold stays as it is`() throws {
        let bitmap = try deep(256, 2) { x, _ in gray(257 * x) }.rounded()
        #expect(bitmap.pixelValues.map { Int($0.x) } == Array(0...255) + Array(0...255))
        for value in [0, 257 * 77, 65_535] {
            let flat = try deep(9, 9) { _, _ in gray(value) }.rounded()
            #expect(flat.pixelValues.allSatisfy { Int($0.x) == value / 257 })
        }
    }

    @Test func `a part that is not smooth, or not opaque, is rounded to nearest`() throws {
        let steep = try deep(64, 4) { x, _ in gray(1000 * x + 128) }.rounded()
        #expect(
            steep.pixelValues.prefix(64).map { Int($0.x) }
                == (0..<64).map { ((1000 * $0 + 128) * 255 + 32_767) / 65_535 })
        let veil = try deep(8, 8, hasAlpha: true) { _, _ in Color(1000, 1000, 1000, 30_000) }.rounded()
        #expect(veil.pixelValues.allSatisfy { $0.x == 4 && $0.w == 117 })
    }

    @Test func `a slow gradient of 16 bits has no wide band`() throws {
        // 12 steps of 8 bits over 1,200 columns: a step in 100.
        let file = try PNGFile.deep(1200, 8) { x, _ in gray(20_000 + 257 * 12 * x / 1200) }
        let bitmap = try file.decoded()
        let means = (0..<150).map { block in
            let levels = (0..<8).flatMap { y in (0..<8).map { x in Int(bitmap[8 * block + x, y].red) } }
            return Double(levels.reduce(0, +)) / 64
        }
        for block in 1..<150 {
            let exact = Double(20_000 + 257 * 12 * (8 * block + 4) / 1200) / 257
            #expect(abs(means[block] - exact) < 0.05)
        }
    }

    // MARK: Colors

    /// Returns a patch of 8 × 8 pixels for each of 216 colors in 16 bits.
    private func patches(_ x: Int, _ y: Int) -> Color {
        let number = y / 8 * 18 + x / 8
        func channel(_ digit: Int) -> UInt16 { UInt16(digit * 12_800 + 777) }
        return Color(channel(number % 6), channel(number / 6 % 6), channel(number / 36), .max)
    }

    private static func opened(_ profile: Data) throws -> cmsHPROFILE {
        try #require(profile.withUnsafeBytes { cmsOpenProfileFromMem($0.baseAddress, UInt32($0.count)) })
    }

    /// The colors of ProPhoto and Adobe RGB, as lcms2 converts them in doubles, and the differences by CIEDE2000.
    @Test(arguments: ["Adobe RGB", "ProPhoto", "Display P3"], [ColorGamut.displayP3, .sRGB])
    func `colors of a profile are converted from their bits`(name: String, gamut: ColorGamut) throws {
        let profile =
            switch name {
            case "Adobe RGB": try Profiles.adobeRGB()
            case "ProPhoto": try Profiles.proPhoto()
            default: try Profiles.displayP3()
            }
        let file = try PNGFile.deep(144, 96, profile, patches)
        let bitmap = try DecoderRegistry.standard.decode(file, gamut: gamut)
        #expect(bitmap.gamut == gamut)
        let target = try gamut == .sRGB ? Profiles.sRGB() : Profiles.displayP3()
        let (from, to, lab) = try (Self.opened(profile), Self.opened(target), #require(cmsCreateLab4Profile(nil)))
        defer { [from, to, lab].forEach { cmsCloseProfile($0) } }
        let doubles = cmsUInt32Number(1 << 22 | 4 << 16 | 3 << 3), labs = cmsUInt32Number(1 << 22 | 10 << 16 | 3 << 3)
        let exact = try #require(cmsCreateTransform(from, doubles, to, doubles, 1, 0x0100))
        let measured = try #require(cmsCreateTransform(to, doubles, lab, labs, 1, 0x0100))
        defer { [exact, measured].forEach { cmsDeleteTransform($0) } }
        var (sum, most) = (0.0, 0.0)
        for number in 0..<216 {
            let (left, top) = (number % 18 * 8, number / 18 * 8)
            let stored = patches(left, top)
            var expected = [0.0, 0, 0]
            cmsDoTransform(exact, [stored.x, stored.y, stored.z].map { Double($0) / 65_535 }, &expected, 1)
            var own = [0.0, 0, 0]
            for place in 0..<64 {
                let pixel = bitmap[left + place % 8, top + place / 8]
                for (channel, value) in [pixel.red, pixel.green, pixel.blue].enumerated() {
                    own[channel] += Double(value) / 255 / 64
                }
            }
            var labs = (cmsCIELab(), cmsCIELab())
            cmsDoTransform(measured, expected.map { min(max($0, 0), 1) }, &labs.0, 1)
            cmsDoTransform(measured, own, &labs.1, 1)
            let difference = cmsCIE2000DeltaE(&labs.0, &labs.1, 1, 1, 1)
            (sum, most) = (sum + difference, max(most, difference))
        }
        #expect(sum / 216 <= 0.1 && most <= 0.7, "\(sum / 216), \(most)")
    }

    @Test func `an interlaced file has the pixels of one that is not`() throws {
        let profile = try Profiles.adobeRGB()
        let plain = try PNGFile.deep(144, 96, profile, patches),
            interlaced = try PNGFile.deep(144, 96, profile, isInterlaced: true, patches)
        for target in [nil, ResizeTarget(width: 61)] {
            let (one, other) = try (
                DecoderRegistry.standard.decode(plain, target: target, gamut: .displayP3),
                DecoderRegistry.standard.decode(interlaced, target: target, gamut: .displayP3)
            )
            #expect(one.gamut == .displayP3 && other.gamut == .displayP3)
            #expect(try #require(one.worstDistance(to: other)) == 0)
        }
    }

    @Test func `colors that sRGB has become sRGB`() throws {
        let file = try PNGFile.deep(40, 40, Profiles.displayP3()) { x, y in
            Color(UInt16(30_000 + 100 * x), UInt16(31_000 + 90 * y), 30_500, .max)
        }
        let bitmap = try DecoderRegistry.standard.decode(file, gamut: .displayP3)
        #expect(bitmap.gamut == .sRGB)
        #expect(try #require(bitmap.worstDistance(to: file.decoded())) == 0)
    }

    @Test(arguments: [16, 18])
    func `colors of a high dynamic range stay in a wide gamut`(transfer: UInt8) throws {
        func file(_ color: Color) throws -> Data {
            try PNGFile.deep(16, 16) { _, _ in color }.addingPNGChunks([("cICP", Data([9, transfer, 0, 1]))])
        }
        let red = try DecoderRegistry.standard.decode(file(Color(36_000, 9000, 9000, .max)), gamut: .displayP3)
        #expect(red.gamut == .displayP3)
        #expect(try file(Color(36_000, 9000, 9000, .max)).decoded().gamut == .sRGB)
        let calm = try file(Color(36_000, 34_000, 33_000, .max))
        let bitmap = try DecoderRegistry.standard.decode(calm, gamut: .displayP3)
        #expect(bitmap.gamut == .sRGB)
        #expect(try #require(bitmap.worstDistance(to: calm.decoded())) <= 1)
        // What red is in Display P3 shows as sRGB shows it.
        let clipped = try file(Color(36_000, 9000, 9000, .max)).decoded()
        #expect(try #require(red.converted(to: .sRGB).worstDistance(to: clipped)) <= 2)
    }

    @Test func `a profile of a high dynamic range is told by its code points`() throws {
        var profile = try Profiles.matrix(curve: .parametricSRGB)
        let pixel = { (x: Int, _: Int) in gray(64 * x) }
        let usual = try PNGFile.deep(1024, 4, profile, pixel).decoded()
        profile = try Profiles.adding("cicp", Data([0, 0, 0, 0, 9, 16, 0, 1]), to: profile)
        let mapped = try PNGFile.deep(1024, 4, profile, pixel).decoded()
        let stated = try PNGFile.deep(1024, 4, nil, pixel).addingPNGChunks([("cICP", Data([9, 16, 0, 1]))]).decoded()
        #expect(try #require(mapped.worstDistance(to: stated)) == 0)
        #expect(try #require(mapped.worstDistance(to: usual)) > 20)
        // Code points that are cut short, unknown, of another matrix or of video levels are ignored.
        for content in [[9, 16], [9, 77, 0, 1], [200, 16, 0, 1], [9, 16, 9, 1], [9, 16, 0, 0]] as [[UInt8]] {
            let damaged = try Profiles.adding(
                "cicp", Data([0, 0, 0, 0] + content), to: Profiles.matrix(curve: .parametricSRGB))
            #expect(try #require(PNGFile.deep(1024, 4, damaged, pixel).decoded().worstDistance(to: usual)) == 0)
        }
        // Those of no high dynamic range are what the curves say, too.
        let other = try Profiles.adding(
            "cicp", Data([0, 0, 0, 0, 1, 13, 0, 1]), to: Profiles.matrix(curve: .parametricSRGB))
        #expect(try #require(PNGFile.deep(1024, 4, other, pixel).decoded().worstDistance(to: usual)) == 0)
    }
}
