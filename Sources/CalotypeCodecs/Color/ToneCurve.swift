import Foundation

/// A curve of an ICC profile in any of its forms, which maps stored values, 0 to 1, to light, 0 to 1.
enum ToneCurve {
    case table(entries: ByteReader, count: Int)
    case formula(Formula)

    init?(_ profile: ByteReader, at offset: Int) {
        if profile.has("curv", at: offset) {
            self.init(sampledIn: profile, at: offset)
        } else if profile.has("para", at: offset), let formula = Formula(profile, at: offset) {
            self = .formula(formula)
        } else {
            return nil
        }
    }

    /// Reads a curveType of ICC.1. No entries mean the identity, a single entry is an exponent as an 8.8 fixed-point
    /// number, and more entries are samples.
    private init?(sampledIn profile: ByteReader, at offset: Int) {
        guard let count = profile.uint32(at: offset + 8) else { return nil }
        switch count {
        case 0: self = .formula(Formula(exponent: 1))
        case 1:
            guard let exponent = profile.uint16(at: offset + 12) else { return nil }
            self = .formula(Formula(exponent: Double(exponent) / 256))
        default:
            let entries = profile.slice(offset + 12..<offset + 12 + 2 * count)
            guard entries.count == 2 * count else { return nil }
            self = .table(entries: entries, count: count)
        }
    }

    /// Whether the curve maps every 8-bit value like sRGB's curve, to within one step.
    ///
    /// Compares stored values rather than light: near black one step is a very small amount of light.
    var isSRGB: Bool {
        (0...255).allSatisfy { value in
            let stored = Double(value) / 255
            return abs(SRGBCurve.stored(of: light(of: stored)) - stored) < 1 / 255.0
        }
    }

    /// Returns the light for a stored value, both from 0 to 1. Those of a damaged curve may be any numbers.
    func light(of stored: Double) -> Double {
        switch self {
        case .formula(let formula): return formula.light(of: stored)
        case .table(let entries, let count):
            let position = stored * Double(count - 1)
            let index = min(Int(position), count - 2)
            let low = Double(entries.uint16(at: 2 * index) ?? 0)
            let high = Double(entries.uint16(at: 2 * index + 2) ?? 0)
            return (low + (high - low) * (position - Double(index))) / 65535
        }
    }

    /// A parametricCurveType of ICC.1: `(a·x + b)^g + e` for `x ≥ d`, and `c·x + f` below. Each of its five types omits
    /// some of the parameters.
    struct Formula {
        private var exponent: Double
        private var a = 1.0, b = 0.0, c = 0.0, d = 0.0, e = 0.0, f = 0.0

        init(exponent: Double) { self.exponent = exponent }

        init?(_ profile: ByteReader, at offset: Int) {
            let counts = [1, 3, 4, 5, 7]
            guard let type = profile.uint16(at: offset + 8), counts.indices.contains(type) else { return nil }
            let values = (0..<counts[type]).compactMap { profile.fixed(at: offset + 12 + 4 * $0) }
            guard values.count == counts[type] else { return nil }
            exponent = values[0]
            if type >= 1 { (a, b) = (values[1], values[2]) }
            switch type {
            case 1: d = -b / a
            // Below the zero of `a·x + b` the curve is constant.
            case 2: (d, e, f) = (-b / a, values[3], values[3])
            case 3: (c, d) = (values[3], values[4])
            case 4: (c, d, e, f) = (values[3], values[4], values[5], values[6])
            default: break
            }
        }

        /// Returns the light for a stored value. A damaged formula may return NaN, which matches no curve.
        func light(of stored: Double) -> Double {
            stored >= d ? pow(a * stored + b, exponent) + e : c * stored + f
        }
    }
}

extension ByteReader {
    /// Returns the s15Fixed16Number of ICC.1 at `offset`, or `nil` if it is out of bounds.
    func fixed(at offset: Int) -> Double? {
        uint32(at: offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65536 }
    }
}
