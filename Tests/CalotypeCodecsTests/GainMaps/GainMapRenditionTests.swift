import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

/// What a display shows of a bitmap with its map, in PQ with the primaries of BT.2020.
@Suite struct GainMapRenditionTests {
    private static let size = PixelSize(width: 4, height: 2)

    private static func bitmap(
        _ color: Pixel, gain: Pixel?, _ channels: [GainMapNumbers.Channel], profile: Data? = nil,
        headrooms: (Double, Double) = (0, 2)
    ) throws -> Bitmap {
        let base = try Bitmap.drawn(size.width, size.height) { _, _ in color }
        guard let gain else { return base }
        let numbers = try #require(
            GainMapNumbers(channels, baseHeadroom: headrooms.0, alternateHeadroom: headrooms.1))
        let samples = try Bitmap.drawn(size.width, size.height) { _, _ in gain }
        let plan = GainMapPlan(ImageExtent(size), of: size, base: size)
        return base.declaring(
            gainMap: GainMap(samples, numbers, isGray: false, profile: profile.map { [UInt8]($0) }, plan: plan))
    }

    private static func signal(_ bitmap: Bitmap, headroom: Double) throws -> SIMD3<Double> {
        let row = try #require(GainMapRendition(bitmap, headroom: headroom)).signals(ofRow: 1)
        #expect(row.count == size.width && Set(row).count == 1)
        return row[0]
    }

    /// The signal of SMPTE ST 2084 for light in cd/m².
    private static func pq(_ light: Double) -> Double {
        let power = pow(light / 10_000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    }

    private static let twoStops = GainMapNumbers.Channel(least: 0, most: 2)

    @Test func `white without a map is paper white at every headroom`() throws {
        let white = try Self.bitmap(.gray(255), gain: nil, [])
        for headroom in [0, 1, 16] as [Double] {
            let signal = try Self.signal(white, headroom: headroom)
            for channel in 0..<3 { #expect(abs(signal[channel] - Self.pq(203)) < 1e-4) }
        }
    }

    @Test(arguments: [(0, 1), (0.5, exp2(0.5)), (1, 2), (2, 4), (9, 4)] as [(Double, Double)])
    func `the gain grows with the headroom up to that of the map`(headroom: Double, factor: Double) throws {
        let white = try Self.bitmap(.gray(255), gain: .gray(255), [Self.twoStops])
        let light = 203 * ((1 + 1 / 64.0) * factor - 1 / 64.0)
        let signal = try Self.signal(white, headroom: headroom)
        for channel in 0..<3 { #expect(abs(signal[channel] - Self.pq(light)) < 1e-4) }
    }

    @Test func `gamma and the base's headroom count`() throws {
        let channel = GainMapNumbers.Channel(least: -1, most: 3, gamma: 2, baseOffset: 0, alternateOffset: 0)
        let gray = try Self.bitmap(.gray(255), gain: .gray(64), [channel], headrooms: (1, 3))
        let stops = -1 + 4 * (64.0 / 255).squareRoot()
        #expect(abs(try Self.signal(gray, headroom: 1)[0] - Self.pq(203)) < 1e-4)
        #expect(abs(try Self.signal(gray, headroom: 2)[1] - Self.pq(203 * exp2(stops / 2))) < 1e-4)
        #expect(abs(try Self.signal(gray, headroom: 4)[2] - Self.pq(203 * exp2(stops))) < 1e-4)
    }

    @Test func `a gain of one color applies in the colors of the map's profile`() throws {
        let red = GainMapNumbers.Channel(least: 0, most: 2, baseOffset: 0, alternateOffset: 0)
        let none = GainMapNumbers.Channel(least: 0, most: 0, baseOffset: 0, alternateOffset: 0)
        // White has the same light of all colors, and BT.2020's red gains alone.
        let own = try Self.bitmap(.gray(255), gain: .gray(255), [red, none, none], profile: GamutProfile.bt2020)
        let signal = try Self.signal(own, headroom: 2)
        #expect(abs(signal.x - Self.pq(812)) < 1e-4 && abs(signal.y - Self.pq(203)) < 1e-4)
        #expect(abs(signal.z - Self.pq(203)) < 1e-4)
        // Red of sRGB is made of all three.
        let base = try Self.signal(Self.bitmap(.gray(255), gain: .gray(255), [red, none, none]), headroom: 2)
        #expect(base.y > Self.pq(220) && base.x < Self.pq(700))
    }
}
