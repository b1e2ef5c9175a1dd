import CLcms2
import CSpng
import CalotypeBase
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

@Suite struct GamutTests {
    /// A gradient of strong colors, most of which sRGB lacks if they are Display P3.
    private let strong = Result { try Pictures.gradient(64, 48) }

    private func png(_ bitmap: Bitmap, _ profile: Data) throws -> Data {
        let samples = bitmap.pixelValues.flatMap { [$0.z, $0.y, $0.x] }
        return try PNGFile(
            width: bitmap.width, height: bitmap.height, colorType: SPNG_COLOR_TYPE_TRUECOLOR, profile: profile
        ).encoded(samples)
    }

    private func decoded(_ file: Data, _ target: ResizeTarget? = nil, in gamut: ColorGamut = .displayP3) throws
        -> Bitmap
    {
        try DecoderRegistry.standard.decode(file, target: target, gamut: gamut)
    }

    // MARK: Decoding

    @Test func `colors beyond sRGB stay as they are if the gamut may be wider, and become sRGB otherwise`() throws {
        let bitmap = try strong.get()
        let file = try png(bitmap, Profiles.displayP3())
        let wide = try decoded(file)
        #expect(wide.gamut == .displayP3)
        #expect(try #require(wide.worstDistance(to: bitmap)) == 0)
        let usual = try decoded(file, in: .sRGB)
        #expect(usual.gamut == .sRGB)
        #expect(try #require(usual.worstDistance(to: wide.converted(to: .sRGB))) <= 1)
    }

    @Test func `colors that sRGB has become sRGB in any gamut`() throws {
        let calm = try Bitmap.drawn(64, 48) { x, y in Pixel(UInt8(100 + x), UInt8(110 + y), 120) }
        let file = try png(calm, Profiles.displayP3())
        let wide = try decoded(file)
        #expect(wide.gamut == .sRGB)
        #expect(try #require(wide.worstDistance(to: decoded(file, in: .sRGB))) == 0)
    }

    @Test func `an image without a profile is sRGB`() throws {
        let file = try strong.get().encoded(as: .png)
        let wide = try decoded(file)
        #expect(wide.gamut == .sRGB)
        #expect(try #require(wide.worstDistance(to: strong.get())) == 0)
    }

    /// 100 × 50 pixels, of which one in 1,000 is 5.
    @Test(arguments: [(4, false), (5, false), (6, true)])
    func `more than one pixel in 1,000 must be beyond sRGB`(count: Int, isWide: Bool) throws {
        let bitmap = try Bitmap.drawn(100, 50) { x, y in 100 * y + x < count ? .red : .gray(90) }
        #expect(try (decoded(png(bitmap, Profiles.displayP3())).gamut == .displayP3) == isWide)
    }

    @Test func `another wide gamut is converted as in full precision`() throws {
        let bitmap = try strong.get()
        let profile = try Profiles.adobeRGB()
        let wide = try decoded(png(bitmap, profile))
        #expect(wide.gamut == .displayP3)
        let (source, target) = try (Self.opened(profile), Self.opened(Profiles.displayP3()))
        defer { [source, target].forEach { cmsCloseProfile($0) } }
        // Doubles, red first.
        let format = cmsUInt32Number(1 << 22 | 4 << 16 | 3 << 3)
        let transform = try #require(cmsCreateTransform(source, format, target, format, 1, 0x0040))
        defer { cmsDeleteTransform(transform) }
        for (own, pixel) in zip(wide.pixelValues, bitmap.pixelValues) {
            let stored = [pixel.z, pixel.y, pixel.x].map { Double($0) / 255 }
            var exact = [0.0, 0, 0]
            cmsDoTransform(transform, stored, &exact, 1)
            for (value, expected) in zip([own.z, own.y, own.x], exact) {
                #expect(abs(Double(value) - min(max(255 * expected, 0), 255)) <= 1)
            }
        }
    }

    private static func opened(_ profile: Data) throws -> cmsHPROFILE {
        try #require(profile.withUnsafeBytes { cmsOpenProfileFromMem($0.baseAddress, UInt32($0.count)) })
    }

    @Test func `thumbnails and workers keep the gamut`() throws {
        let file = try JPEGFiles.make(strong.get()).addingProfile(Profiles.displayP3()).addingEXIF(6)
        let target = ResizeTarget(width: 20, height: 20, mode: .fill)
        let plain = try decoded(file, target)
        #expect(plain.gamut == .displayP3 && plain.size == PixelSize(width: 20, height: 20))
        let isolated = try DecoderRegistry.standard.isolated(in: DecoderWorkers(limit: 1)).decode(
            file, target: target, gamut: .displayP3)
        #expect(isolated.gamut == .displayP3)
        #expect(try #require(isolated.worstDistance(to: plain)) == 0)
    }

    // MARK: The profile, and files that name the gamut

    @Test func `the profile is small and that of Display P3`() throws {
        let bytes = GamutProfile.displayP3
        #expect(bytes.count <= 500 && bytes.count.isMultiple(of: 4))
        let profile = try #require(ColorProfile(Array(bytes)))
        #expect(profile.matches(.displayP3) && !profile.isSRGB && profile.name == "Display P3")
        // lcms2 makes the same colors of it.
        let pixels = try png(Pictures.gradient(32, 32), bytes)
        let other = try png(Pictures.gradient(32, 32), Profiles.displayP3())
        #expect(try #require(decoded(pixels, in: .sRGB).worstDistance(to: decoded(other, in: .sRGB))) <= 1)
    }

    @Test func `the name of a profile ends where its text does`() throws {
        var bytes = try Profiles.displayP3()
        let last = try #require(bytes.range(of: Data("P3".flatMap { [0, UInt8($0.asciiValue ?? 0)] })))
        bytes[last.upperBound - 1] = 0
        #expect(try #require(ColorProfile(Array(bytes))).name == "Display P")
    }

    @Test(arguments: ["jpeg", "png", "palette", "webp", "lossless", "avif"])
    func `files name a wide gamut, and their pixels stay in it`(name: String) throws {
        let wide = try decoded(png(strong.get(), Profiles.displayP3()))
        let format: EncodingFormat =
            switch name {
            case "jpeg": .jpeg(quality: 95)
            case "webp": .webp(quality: 95)
            case "lossless": .webpLossless
            case "avif": .avif(quality: 90, speed: 9)
            case "palette": EncodingFormat(PNGEncoder(colorLimit: 64))
            default: .png
            }
        let file = try wide.encoded(as: format)
        #expect(DecoderRegistry.standard.colors(of: file) == "Display P3")
        let again = try decoded(file)
        #expect(again.gamut == .displayP3)
        let isLossless = name == "png" || name == "lossless"
        #expect(try #require(again.worstDistance(to: wide)) <= (isLossless ? 0 : 40))
        // A reader that knows sRGB alone sees the same colors.
        let usual = try decoded(file, in: .sRGB)
        #expect(try #require(usual.worstDistance(to: wide.converted(to: .sRGB))) <= (isLossless ? 1 : 60))
    }

    @Test func `files of sRGB name no other gamut`() throws {
        let bitmap = try strong.get()
        #expect(try bitmap.encoded(as: .jpeg(quality: 80)).range(of: Data("ICC_PROFILE".utf8)) == nil)
        #expect(try bitmap.encoded(as: .png).range(of: Data("cICP".utf8)) == nil)
        #expect(try bitmap.encoded(as: .webp(quality: 80)).range(of: Data("ICCP".utf8)) == nil)
    }

    @Test func `metadata and gamut are in one file`() throws {
        let wide = try decoded(png(strong.get(), Profiles.displayP3()))
        let block = EXIFBlock(try #require(ImageCredits(artist: Array("Ada".utf8), copyright: [])))
        for format: EncodingFormat in [.jpeg(quality: 90), .png, .webp(quality: 90), .avif(quality: 80, speed: 9)] {
            let file = try format.encode(wide, with: block)
            #expect(DecoderRegistry.standard.colors(of: file) == "Display P3")
            #expect(ImageCredits(of: file)?.artist == Array("Ada".utf8))
        }
    }

    @Test func `an encoder that knows no gamut gets sRGB`() throws {
        struct Encoder: ImageEncoder {
            let format = ImageFormat.png
            func encode(_ bitmap: Bitmap) throws(CodecError) -> Data { Data("\(bitmap.gamut)".utf8) }
        }
        let wide = try decoded(png(strong.get(), Profiles.displayP3()))
        #expect(try wide.encoded(as: EncodingFormat(Encoder())) == Data("sRGB".utf8))
    }

    // MARK: Steps

    /// Red of sRGB in Display P3.
    private static let red = Pixel(35, 51, 234)

    @Test func `colors of steps are sRGB in every gamut`() throws {
        let wide = try decoded(png(strong.get(), Profiles.displayP3()))
        let red = ImageColor(red: 255, green: 0, blue: 0)
        let padded = try wide.applying(.pad(4, color: red))
        #expect(padded.gamut == .displayP3 && padded[1, 1].isClose(to: Self.red, within: 1))
        let framed = try wide.applying(.border(width: 3, color: red))
        #expect(framed.gamut == .displayP3 && framed[1, 1].isClose(to: Self.red, within: 1))
        let trimmed = try padded.applying(ImageSteps.Trim(red, tolerance: 1))
        #expect(trimmed.size == wide.size && trimmed.gamut == .displayP3)
        let clear = try wide.applying(.circle).applying(.background(red))
        #expect(clear[0, 0].isClose(to: Self.red, within: 1))
        let mark = try Bitmap.drawn(8, 8) { _, _ in .red }
        #expect(try wide.applying(.overlay(mark))[32, 24].isClose(to: Self.red, within: 1))
    }

    @Test func `steps, turns and crops keep the gamut`() throws {
        let wide = try decoded(png(strong.get(), Profiles.displayP3()))
        let steps: [any ImageStep] = [
            .flip(.horizontal), ImageSteps.Rotate(quarterTurns: 1), .round(radius: 4), .saturation(1.2),
            .blur(sigma: 2),
            .resize(width: 20, height: 20, mode: .fill), .pixelate(2), .sharpen(sigma: 1),
        ]
        for step in steps { #expect(try step.apply(to: wide).gamut == .displayP3, "\(step.key)") }
    }

    @Test func `a conversion there and back loses little, and none of the other properties`() throws {
        let calm = try Bitmap.drawn(64, 48, hasAlpha: true) { x, y in
            Pixel(UInt8(100 + x), UInt8(110 + y), 120).premultiplied(UInt8(255 - 2 * x))
        }.declaring(isFirstFrame: true)
        let wide = try calm.converted(to: .displayP3)
        #expect(wide.gamut == .displayP3 && wide.isFirstFrame && calm.gamut == .sRGB)
        #expect(try #require(wide.converted(to: .sRGB).worstDistance(to: calm)) <= 2)
        #expect(try calm.converted(to: .sRGB).isIdentical(to: calm))
    }
}
