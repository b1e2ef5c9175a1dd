import Foundation

/// A mapping of high dynamic range (PQ, HLG) to sRGB or a wider gamut, pixel by pixel, in single precision.
///
/// 1. Convert to light on a display of 1,000 cd/m² (ITU-R BT.2100): PQ by its curve, HLG by its curve and the system
///   gamma of 1.2. Paper white, 203 cd/m² (ITU-R BT.2408), becomes 1.
/// 2. Compress the brightest channel by ``HighlightCompression`` and scale the others with it, which preserves hues. The
///   source's peak becomes 1: that of the file for PQ, 1,000 cd/m² for HLG and for PQ without one.
/// 3. Convert to the primaries of the gamut. Colors outside it are clipped.
struct ToneMapping {
    private static let paperWhite = 203.0
    /// The peak of the display in cd/m² for which HLG is shown.
    private static let display = 1000.0

    private let isHLG: Bool
    private let highlights: HighlightCompression
    /// The light for each stored value: for PQ relative to paper white, for HLG the scene light.
    private let light: [Float]
    /// The largest stored value.
    private let most: UInt32
    /// The conversions of linear light from the image's primaries to those of the gamut, and to luminance.
    private let toGamut: (red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>)
    private let luminance: SIMD4<Float>
    private let curve = SRGBCurve.Table()

    /// Returns `nil` if the colors are of no high dynamic range, or their primaries lie on a line.
    ///
    /// - Parameters:
    ///   - bits: The number of bits of a stored value, at most 16. The default is 8.
    ///   - gamut: The gamut of the mapped pixels. The default is sRGB.
    init?(_ colors: CodedColors, bits: Int = 8, to gamut: ColorGamut = .sRGB) {
        guard colors.curve.isHDR, let source = Matrix3(toXYZFrom: colors),
            let target = Matrix3(toXYZFrom: gamut.colors)?.inverse
        else { return nil }
        isHLG = colors.curve == .hlg
        highlights = HighlightCompression(peak: isHLG ? Self.display : colors.peak, white: Self.paperWhite)
        let columns = (target * source).columns
        toGamut = (SIMD4(columns.0), SIMD4(columns.1), SIMD4(columns.2))
        luminance = SIMD4(SIMD3(source.columns.0.y, source.columns.1.y, source.columns.2.y))
        let most = 1 << bits - 1
        light = (0...most).map { value in
            let stored = Double(value) / Double(most)
            return Float(colors.curve == .pq ? PQCurve.light(of: stored) / Self.paperWhite : Self.hlg(stored))
        }
        self.most = UInt32(most)
    }

    /// Maps rows of straight BGRA with 8 bits in place. Alpha is unchanged.
    func apply(to rows: PixelRows) {
        rows.forEachRow { row in
            for x in row.indices {
                let pixel = row[x]
                let color = curve.stored(light(SIMD4(pixel >> 16 & 0xFF, pixel >> 8 & 0xFF, pixel & 0xFF, 0)))
                let bytes = (SIMD4<UInt32>(truncatingIfNeeded: color) &* 255 &+ 32_767) / 65_535
                row[x] = pixel & 0xFF00_0000 | bytes.x << 16 | bytes.y << 8 | bytes.z
            }
        }
    }

    /// Maps a row of straight RGBA in place, to premultiplied RGBA with 16 bits.
    func apply(to row: DeepRow) {
        for x in row.indices {
            // A damaged image may have larger samples than its bits permit.
            let pixel = SIMD4<UInt32>(truncatingIfNeeded: row[x]) & SIMD4(repeating: most)
            var color = curve.stored(light(pixel))
            color.w = pixel.w == most ? .max : UInt16((UInt64(pixel.w) * 65_535 + UInt64(most / 2)) / UInt64(most))
            row[x] = color
        }
        row.premultiply()
    }

    /// Returns the light of red, green and blue in the gamut, from 0 to 1, for stored values of the image.
    @inline(__always)
    private func light(_ pixel: SIMD4<UInt32>) -> SIMD4<Float> {
        var shown = SIMD4(light[Int(pixel.x)], light[Int(pixel.y)], light[Int(pixel.z)], 0)
        if isHLG { shown = display(shown) }
        let brightest = max(shown.x, shown.y, shown.z)
        if brightest > highlights.knee { shown *= highlights.factor(at: brightest) }
        return toGamut.red * shown.x + toGamut.green * shown.y + toGamut.blue * shown.z
    }

    /// Converts HLG's scene light to the light of a display of 1,000 cd/m², relative to paper white.
    private func display(_ scene: SIMD4<Float>) -> SIMD4<Float> {
        scene * (pow((scene * luminance).sum(), 0.2) * Float(Self.display / Self.paperWhite))
    }

    /// Returns the scene light, 0 to 1, by ARIB STD-B67.
    private static func hlg(_ stored: Double) -> Double {
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        return stored <= 0.5 ? stored * stored / 3 : (exp((stored - c) / a) + b) / 12
    }
}

extension SIMD4<Float> {
    init(_ vector: SIMD3<Double>) { self.init(SIMD3<Float>(vector), 0) }
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
