import CSpng
import CalotypeBase
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

/// Curves that are far from sRGB's, such as linear light, in images that are scaled.
@Suite struct StoredCurvesTests {
    private typealias Color = SIMD4<UInt16>

    /// Draws bright bars on a dark ground, whose light is given, as one who stores it by `curve` draws them.
    private func bars(_ profile: Data? = nil, isInterlaced: Bool = false, _ curve: (Double) -> Double) throws -> Data {
        func stored(_ light: Double) -> UInt16 { UInt16((65_535 * curve(light)).rounded()) }
        let (ground, bar, side) = (Color(stored(0.02), stored(0.05), stored(0.02), .max), stored(0.9), stored(0.3))
        return try PNGFile.deep(192, 64, profile, isInterlaced: isInterlaced) { x, y in
            x / 11 % 3 == 1 ? Color(bar, side, bar, .max) : y > 40 ? Color(side, side, bar, .max) : ground
        }
    }

    private func gamma(_ value: Int) -> [(String, Data)] {
        [("gAMA", Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }))]
    }

    @Test(arguments: [false, true], [ResizeFilter.automatic, .lanczos3])
    func `linear light is scaled as sRGB is`(isInterlaced: Bool, filter: ResizeFilter) throws {
        let expected = try bars { SRGBCurve.stored(of: $0) }
        let linear = try bars(isInterlaced: isInterlaced) { $0 }
        let files = try [
            linear.addingPNGChunks(gamma(100_000)), linear.addingPNGChunks([("cICP", Data([1, 8, 0, 1]))]),
            bars(Profiles.rgb(gamma: 1), isInterlaced: isInterlaced) { $0 },
            bars(isInterlaced: isInterlaced) { pow($0, 0.25) }.addingPNGChunks(gamma(25_000)),
        ]
        for width in [100, 61, 192, 250] {
            let target = ResizeTarget(width: width, upscales: true, filter: filter)
            let exact = try expected.decoded(target)
            #expect(exact.width == width)
            for file in files { #expect(try #require(file.decoded(target).worstDistance(to: exact)) <= 1, "\(width)") }
        }
    }

    @Test(arguments: ["PNG", "interlaced", "AVIF", "QOI"])
    func `linear light with 8 bits is scaled as sRGB is`(format: String) throws {
        func drawn(_ curve: (Double) -> Double) throws -> Bitmap {
            func stored(_ light: Double) -> UInt8 { UInt8((255 * curve(light)).rounded()) }
            let (ground, bar, side) = (stored(0.02), stored(0.9), stored(0.3))
            return try Bitmap.drawn(192, 64) { x, y in
                x / 11 % 3 == 1
                    ? Pixel(bar, side, bar) : y > 40 ? Pixel(side, side, bar) : Pixel(ground, ground, ground)
            }
        }
        let linear = try drawn { $0 }
        let target = ResizeTarget(width: 71)
        let exact = try drawn(SRGBCurve.stored(of:)).encoded(as: .png).decoded(target)
        let samples = linear.pixelValues.flatMap { [$0.z, $0.y, $0.x] }
        var file: Data
        switch format {
        case "AVIF": file = try AVIFFile(transfer: 8).encoded(linear)
        case "QOI":
            file = Data("qoif".utf8) + Data([0, 0, 0, 192, 0, 0, 0, 64, 3, 1])
            for place in 0..<samples.count / 3 { file += [0xFE] + samples[3 * place..<3 * place + 3] }
            file += [0, 0, 0, 0, 0, 0, 0, 1]
        default:
            let png = PNGFile(
                width: 192, height: 64, colorType: SPNG_COLOR_TYPE_TRUECOLOR, isInterlaced: format == "interlaced")
            file = try png.encoded(samples).addingPNGChunks(gamma(100_000))
        }
        // One step of linear light is up to 13 of sRGB, and four at 2 %. AVIF stores it in other channels.
        let most = format == "AVIF" ? 12 : 4
        #expect(try #require(file.decoded(target).worstDistance(to: exact)) <= most)
    }

    @Test func `linear light of a wide gamut stays in it`() throws {
        let linear = try bars(Profiles.matrix(curve: .formula(type: 1, [1]), red: (0.68, 0.32), green: (0.265, 0.69))) {
            $0
        }
        let expected = try bars(Profiles.displayP3(), SRGBCurve.stored(of:))
        for gamut in [ColorGamut.displayP3, .sRGB] {
            let (own, exact) = try (
                DecoderRegistry.standard.decode(linear, target: ResizeTarget(width: 100), gamut: gamut),
                DecoderRegistry.standard.decode(expected, target: ResizeTarget(width: 100), gamut: gamut)
            )
            #expect(own.gamut == gamut && exact.gamut == gamut)
            #expect(try #require(own.worstDistance(to: exact)) <= 1)
        }
    }

    @Test func `gray in linear light is scaled as gray is`() throws {
        func ramp(_ profile: Data?, _ curve: (Double) -> Double) throws -> Data {
            let samples = (0..<128).map { x in UInt16((65_535 * curve(x / 9 % 2 == 0 ? 0.01 : 0.8)).rounded()) }
            return try PNGFile(
                width: 128, height: 1, colorType: SPNG_COLOR_TYPE_GRAYSCALE, bitDepth: 16, profile: profile
            ).encoded(samples.withUnsafeBytes { Array($0) })
        }
        let (own, exact) = try (ramp(Profiles.gray(gamma: 1)) { $0 }, ramp(nil, SRGBCurve.stored(of:)))
        let target = ResizeTarget(width: 71)
        #expect(try #require(own.decoded(target).worstDistance(to: exact.decoded(target))) <= 1)
    }

    @Test func `a damaged curve of a profile is ignored, and one that lcms2 refuses changes nothing`() throws {
        let (profile, plain) = (try Profiles.rgb(gamma: 1), try bars { $0 })
        let expected = try plain.decoded(ResizeTarget(width: 100))
        // Without its red, the matrix cannot be used, though the curves can.
        for name in ["rXYZ", "rTRC"] {
            var damaged = profile
            let tag = try #require(damaged.range(of: Data(name.utf8)))
            damaged.replaceSubrange(tag, with: Data("none".utf8))
            let own = try bars(damaged) { $0 }.decoded(ResizeTarget(width: 100))
            #expect(try #require(own.worstDistance(to: expected)) == 0, "\(name)")
        }
    }
}
