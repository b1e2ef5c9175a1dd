import Foundation

/// The compression of highlights from a source's brightest light to paper white: the electrical-electrical transfer
/// function of ITU-R BT.2390-11 (5.4.1), with black at 0 on both sides.
///
/// In the code of PQ, relative to the source's peak, values up to the knee `1.5 · white − 0.5` are unchanged. Above, a Hermite
/// spline leads to paper white with the slope 0.
struct HighlightCompression {
    private static let last = 4095

    /// The light up to which nothing changes, relative to paper white.
    let knee: Float
    /// The brightest light of the source, relative to paper white.
    private let peak: Float
    /// What the light is multiplied by, for equal steps of the square root of light from 0 to the peak.
    private let factors: [Float]
    private let stepsPerRoot: Float

    /// - Parameters:
    ///   - peak: The brightest light of the source in cd/m².
    ///   - white: Paper white in cd/m², to which the peak is compressed unless it is darker.
    init(peak: Double, white: Double) {
        let code = PQCurve.stored(of: peak)
        let most = PQCurve.stored(of: white) / code
        let start = 1.5 * most - 0.5
        self.peak = Float(peak / white)
        // A source that is no brighter than paper white has no highlights.
        guard most < 1 else {
            (knee, factors, stepsPerRoot) = (.infinity, [1, 1], 0)
            return
        }
        knee = Float(PQCurve.light(of: start * code) / white)
        stepsPerRoot = Float(Self.last) / self.peak.squareRoot()
        factors = (0...Self.last).map { step in
            let root = Double(step) / Double(Self.last)
            let light = root * root * peak
            let stored = PQCurve.stored(of: light) / code
            guard stored > start else { return 1 }
            let t = (stored - start) / (1 - start)
            let (t2, t3) = (t * t, t * t * t)
            let mapped = (2 * t3 - 3 * t2 + 1) * start + (t3 - 2 * t2 + t) * (1 - start) + (3 * t2 - 2 * t3) * most
            return Float(PQCurve.light(of: mapped * code) / light)
        }
    }

    /// Returns what light is multiplied by, relative to paper white.
    func factor(at light: Float) -> Float {
        guard light > knee else { return 1 }
        let place = min(light, peak).squareRoot() * stepsPerRoot
        let step = min(Int(place), Self.last - 1)
        let share = place - Float(step)
        // Beyond the peak, white.
        return (factors[step] * (1 - share) + factors[step + 1] * share) * min(peak / light, 1)
    }
}

/// The perceptual quantizer (SMPTE ST 2084), for light in cd/m² from 0 to 10,000.
enum PQCurve {
    private static let (m1, m2) = (2610.0 / 16384, 2523.0 / 32)
    private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 128, 2392.0 / 128)

    /// Returns the light of a stored value, 0 to 1.
    static func light(of stored: Double) -> Double {
        let power = pow(stored, 1 / m2)
        return 10_000 * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
    }

    /// Returns the stored value of light.
    static func stored(of light: Double) -> Double {
        let power = pow(light / 10_000, m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }
}
