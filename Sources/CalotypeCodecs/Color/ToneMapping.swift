import Foundation

/// A mapping of high dynamic range (PQ, HLG) to sRGB, pixel by pixel.
///
/// 1. Convert to light on a display of 1,000 cd/m² (ITU-R BT.2100): PQ by its curve, HLG by its curve and the system
///   gamma of 1.2. Paper white, 203 cd/m² (ITU-R BT.2408), becomes 1.
/// 2. Compress the brightest channel and scale the others with it, which preserves hues. A value `v` up to 0.75 is
///   unchanged. Above, the excess `t = (v − 0.75) / 0.25` becomes `t (1 + t / p²) / (1 + t)`, where `p` is the `t` of
///   1,000 cd/m². That brightness therefore becomes 1.
/// 3. Convert to the primaries of sRGB. Colors outside the gamut of sRGB are clipped.
struct ToneMapping {
    private static let paperWhite = 203.0
    private static let peak = 1000.0
    private static let knee = 0.75

    private let curve: CodedColors.Curve
    /// The light for each stored value: for PQ relative to paper white, for HLG the scene light.
    private let light: [Double]
    /// The conversions of linear light from the image's primaries to those of sRGB, and to luminance.
    private let toSRGB: Matrix3
    private let luminance: SIMD3<Double>
    /// The stored values of sRGB for 4,096 equal steps of light.
    private let stored: [UInt8]

    init?(_ colors: CodedColors) {
        guard let source = Matrix3(toXYZFrom: colors), let target = Matrix3(toXYZFrom: CodedColors())?.inverse else {
            return nil
        }
        curve = colors.curve
        toSRGB = target * source
        luminance = SIMD3(source.columns.0.y, source.columns.1.y, source.columns.2.y)
        light = (0...255).map { value in
            colors.curve == .pq ? Self.pq(Double(value) / 255) / Self.paperWhite : Self.hlg(Double(value) / 255)
        }
        stored = (0...4095).map { UInt8((255 * SRGBCurve.stored(of: Double($0) / 4095)).rounded()) }
    }

    /// Maps rows of straight BGRA in place. Alpha is unchanged.
    func apply(to rows: PixelRows) {
        rows.forEachRow { row in
            for x in row.indices {
                let pixel = row[x]
                let mapped = map(
                    SIMD3(light[Int(pixel >> 16 & 0xFF)], light[Int(pixel >> 8 & 0xFF)], light[Int(pixel & 0xFF)]))
                row[x] = pixel & 0xFF00_0000 | mapped
            }
        }
    }

    private func map(_ light: SIMD3<Double>) -> UInt32 {
        let shown = curve == .hlg ? display(light) : light
        let brightest = shown.max()
        let scale = brightest > Self.knee ? Self.compressed(brightest) / brightest : 1
        let color = (toSRGB * (shown * scale)).clamped(lowerBound: .zero, upperBound: .one) * 4095
        return UInt32(stored[Int(color.x + 0.5)]) << 16 | UInt32(stored[Int(color.y + 0.5)]) << 8
            | UInt32(stored[Int(color.z + 0.5)])
    }

    /// Converts HLG's scene light to the light of a display of 1,000 cd/m², relative to paper white.
    private func display(_ scene: SIMD3<Double>) -> SIMD3<Double> {
        scene * pow((scene * luminance).sum(), 0.2) * (Self.peak / Self.paperWhite)
    }

    private static func compressed(_ light: Double) -> Double {
        let t = (min(light, peak / paperWhite) - knee) / (1 - knee)
        let p = (peak / paperWhite - knee) / (1 - knee)
        return knee + (1 - knee) * t * (1 + t / (p * p)) / (1 + t)
    }

    /// Returns the light in cd/m² by SMPTE ST 2084.
    private static func pq(_ stored: Double) -> Double {
        let (m1, m2) = (2610.0 / 16384, 2523.0 / 32)
        let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 128, 2392.0 / 128)
        let power = pow(stored, 1 / m2)
        return 10_000 * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
    }

    /// Returns the scene light, 0 to 1, by ARIB STD-B67.
    private static func hlg(_ stored: Double) -> Double {
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        return stored <= 0.5 ? stored * stored / 3 : (exp((stored - c) / a) + b) / 12
    }
}

/// A 3 × 3 matrix stored by columns.
struct Matrix3 {
    var columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    static func * (matrix: Matrix3, vector: SIMD3<Double>) -> SIMD3<Double> {
        matrix.columns.0 * vector.x + matrix.columns.1 * vector.y + matrix.columns.2 * vector.z
    }

    static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
        Matrix3(columns: (left * right.columns.0, left * right.columns.1, left * right.columns.2))
    }

    var inverse: Matrix3? {
        let (a, b, c) = columns
        let (bc, ca, ab) = (Self.cross(b, c), Self.cross(c, a), Self.cross(a, b))
        let determinant = (a * bc).sum()
        guard abs(determinant) > 1e-9 else { return nil }
        return Matrix3(
            columns: (
                SIMD3(bc.x, ca.x, ab.x) / determinant, SIMD3(bc.y, ca.y, ab.y) / determinant,
                SIMD3(bc.z, ca.z, ab.z) / determinant
            ))
    }

    private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }

    /// Creates the matrix from linear light of these primaries to CIE XYZ, or returns `nil` if they lie on a line.
    init?(toXYZFrom colors: CodedColors) {
        func xyz(_ place: CodedColors.Chromaticity) -> SIMD3<Double> {
            SIMD3(place.x / place.y, 1, (1 - place.x - place.y) / place.y)
        }
        let (red, green, blue) = (xyz(colors.red), xyz(colors.green), xyz(colors.blue))
        guard let inverse = Matrix3(columns: (red, green, blue)).inverse else { return nil }
        let white = inverse * xyz(colors.white)
        columns = (red * white.x, green * white.y, blue * white.z)
    }

    init(columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)) { self.columns = columns }
}
