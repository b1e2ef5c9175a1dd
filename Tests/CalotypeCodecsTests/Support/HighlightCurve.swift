import Foundation

/// The compression of highlights by ITU-R BT.2390-11, 5.4.1, and the curve of PQ for it, in doubles and written apart from the product.
enum HighlightCurve {
    /// Paper white in cd/m² (ITU-R BT.2408), beyond which nothing is shown.
    static let white = 203.0

    /// Returns the light in cd/m² that is shown of the brightest channel's.
    ///
    /// - Parameter peak: The brightest light of the source.
    static func shown(_ light: Double, peak: Double) -> Double {
        // A source that claims to be darker than paper white is believed in nothing else.
        let peak = max(peak, white)
        let (e, most) = (stored(min(light, peak)) / stored(peak), stored(white) / stored(peak))
        let start = 1.5 * most - 0.5
        var mapped = e
        if most < 1, e >= start {
            let t = (e - start) / (1 - start)
            mapped = (2 * t * t * t - 3 * t * t + 1) * start
            mapped += (t * t * t - 2 * t * t + t) * (1 - start) + (-2 * t * t * t + 3 * t * t) * most
        }
        let power = pow(mapped * stored(peak), 32 / 2523.0)
        return 10_000 * pow(max(power - 3424.0 / 4096, 0) / (2413.0 / 128 - 2392.0 / 128 * power), 16384 / 2610.0)
    }

    private static func stored(_ light: Double) -> Double {
        let power = pow(light / 10_000, 2610.0 / 16384)
        return pow((3424.0 / 4096 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
    }
}
