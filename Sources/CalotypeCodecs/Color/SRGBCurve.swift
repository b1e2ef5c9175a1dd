import Foundation

/// The transfer curve of sRGB between stored values and linear light.
enum SRGBCurve {
    /// The light of each stored value, from 0 to 1.
    static let light: [Float] = (0...255).map { Float(light(of: Double($0) / 255)) }

    /// Returns the stored value for an amount of light, rounded to nearest. Light outside 0 to 1 is clamped.
    static func stored(_ light: Float) -> UInt8 {
        let light = min(max(light, 0), 1)
        var value = Int(guesses[Int(light * Float(guesses.count - 1))])
        while value < 255, light >= thresholds[value + 1] { value += 1 }
        return UInt8(value)
    }

    /// Converts light to a stored value, both from 0 to 1 (IEC 61966-2-1).
    static func stored(of light: Double) -> Double {
        light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    private static func light(of stored: Double) -> Double {
        stored <= 0.04045 ? stored / 12.92 : pow((stored + 0.055) / 1.055, 2.4)
    }

    /// For each stored value, the smallest amount of light that rounds to it.
    private static let thresholds: [Float] = (0...255).map {
        $0 == 0 ? 0 : Float(light(of: (Double($0) - 0.5) / 255))
    }

    /// The stored values of 4,096 equal steps of light, from which `stored` searches upwards.
    private static let guesses: [UInt8] = (0..<4096).map { step in
        let light = Float(step) / 4095
        return UInt8((thresholds.firstIndex { $0 > light } ?? 256) - 1)
    }

    /// The stored values with 16 bits of any light, to within a few steps of them.
    struct Table {
        /// Of 4,096 equal steps of the square root of light.
        private let words = Self.all

        private static let all = (0...4095).map { step in
            UInt16((65_535 * SRGBCurve.stored(of: Double(step * step) / (4095 * 4095))).rounded())
        }

        /// Light outside 0 to 1 is clamped.
        @inline(__always)
        func stored(_ light: SIMD4<Float>) -> SIMD4<UInt16> { SIMD4(word(light.x), word(light.y), word(light.z), 0) }

        @inline(__always)
        private func word(_ light: Float) -> UInt16 {
            light > 0 ? words[Int(min(light, 1).squareRoot() * 4095 + 0.5)] : 0
        }
    }

    /// The light of each stored value with 16 bits, from 0 to 1.
    static let deepLight: [Float] = (0...65_535).map { Float(light(of: Double($0) / 65_535)) }
}
