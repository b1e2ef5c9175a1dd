import CSpng
import CalotypeTesting
import Foundation

@testable import CalotypeCodecs

extension PNGFile {
    /// Returns an opaque PNG of 16 bits.
    static func deep(
        _ width: Int, _ height: Int, _ profile: Data? = nil, isInterlaced: Bool = false,
        _ color: (_ x: Int, _ y: Int) -> SIMD4<UInt16>
    ) throws -> Data {
        let samples = (0..<height).flatMap { y in
            (0..<width).flatMap { x -> [UInt16] in
                let color = color(x, y)
                return [color.x, color.y, color.z]
            }
        }
        return try PNGFile(
            width: width, height: height, colorType: SPNG_COLOR_TYPE_TRUECOLOR, bitDepth: 16,
            isInterlaced: isInterlaced, profile: profile
        ).encoded(samples.withUnsafeBytes { Array($0) })
    }
}
