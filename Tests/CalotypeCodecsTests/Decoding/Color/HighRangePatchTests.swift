import CLcms2
import CSpng
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

/// Patches in PQ and HLG against the mapping in doubles: the curve of BT.2390 on the brightest channel, then the matrix, then clipping.
@Suite struct HighRangePatchTests {
    private static let (columns, side) = (18, 4)

    /// Red, green and blue of a patch, from 0 to 1.
    private static func stored(_ patch: Int) -> SIMD3<Double> {
        SIMD3(Double(patch % 6), Double(patch / 6 % 6), Double(patch / 36)) / 5 * 0.72 + 0.04
    }

    private static func png(_ transfer: UInt8) throws -> Data {
        let (width, height) = (columns * side, 12 * side)
        let samples = (0..<width * height).flatMap { place -> [UInt16] in
            let color = stored(place / width / side * columns + place % width / side) * 65_535
            return [color.x, color.y, color.z].map { UInt16($0.rounded()) }
        }
        return try PNGFile(width: width, height: height, colorType: SPNG_COLOR_TYPE_TRUECOLOR, bitDepth: 16)
            .encoded(samples.withUnsafeBytes { Array($0) }).addingPNGChunks([("cICP", Data([9, transfer, 0, 1]))])
    }

    /// Returns the light relative to paper white on the display for which the signal is shown.
    private static func light(_ signal: SIMD3<Double>, _ transfer: UInt8) -> SIMD3<Double> {
        func each(_ change: (Double) -> Double) -> SIMD3<Double> {
            SIMD3(change(signal.x), change(signal.y), change(signal.z))
        }
        if transfer == 16 { return each { PQCurve.light(of: $0) } / 203 }
        let scene = each { $0 <= 0.5 ? $0 * $0 / 3 : (exp(($0 - 0.55991073) / 0.17883277) + 0.28466892) / 12 }
        let luminance = (scene * SIMD3(0.2627, 0.6780, 0.0593)).sum()
        return scene * pow(luminance, 0.2) * 1000 / 203
    }

    private static func compressed(_ light: SIMD3<Double>) -> SIMD3<Double> {
        let brightest = light.max() * HighlightCurve.white
        return brightest > 0 ? light * (HighlightCurve.shown(brightest, peak: 1000) / brightest) : light
    }

    @Test(arguments: [UInt8(16), 18])
    func `patches differ from the curve in doubles by less than can be seen`(transfer: UInt8) throws {
        let bitmap = try Self.png(transfer).decoded()
        let toSRGB = [
            SIMD3(1.660491, -0.587641, -0.072850), SIMD3(-0.124550, 1.132900, -0.008349),
            SIMD3(-0.018151, -0.100579, 1.118730),
        ]
        let (lab, sRGB) = try (#require(cmsCreateLab4Profile(nil)), #require(cmsCreate_sRGBProfile()))
        defer { [lab, sRGB].forEach { cmsCloseProfile($0) } }
        let doubles = cmsUInt32Number(1 << 22 | 4 << 16 | 3 << 3), labs = cmsUInt32Number(1 << 22 | 10 << 16 | 3 << 3)
        let measured = try #require(cmsCreateTransform(sRGB, doubles, lab, labs, 1, 0x0100))
        defer { cmsDeleteTransform(measured) }
        var (sum, most) = (0.0, 0.0)
        for patch in 0..<216 {
            let light = Self.compressed(Self.light(Self.stored(patch), transfer))
            let exact = toSRGB.map { min(max(($0 * light).sum(), 0), 1) }.map { SRGBCurve.stored(of: $0) }
            let pixel = bitmap[patch % Self.columns * Self.side + 1, patch / Self.columns * Self.side + 1]
            let own = [pixel.red, pixel.green, pixel.blue].map { Double($0) / 255 }
            var (expected, seen) = (cmsCIELab(), cmsCIELab())
            cmsDoTransform(measured, exact, &expected, 1)
            cmsDoTransform(measured, own, &seen, 1)
            let difference = cmsCIE2000DeltaE(&expected, &seen, 1, 1, 1)
            (sum, most) = (sum + difference, max(most, difference))
        }
        #expect(sum / 216 <= 0.3 && most <= 1.5, "\(sum / 216), \(most)")
    }
}
