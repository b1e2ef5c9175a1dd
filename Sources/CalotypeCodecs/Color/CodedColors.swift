/// A color space described by numbers rather than a profile: white point, primaries and transfer curve.
struct CodedColors: Hashable {
    /// A point in the CIE 1931 chromaticity diagram.
    struct Chromaticity: Hashable {
        var x: Double
        var y: Double

        init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
    }

    /// The transfer curve from stored values, 0 to 1, to linear light.
    enum Curve: Hashable {
        case sRGB, linear
        /// Light is the stored value raised to this power.
        case power(Double)
        /// The perceptual quantizer (SMPTE ST 2084).
        case pq
        /// Hybrid log-gamma (ARIB STD-B67).
        case hlg

        /// Whether values can be brighter than paper white: such images are tone-mapped.
        var isHDR: Bool { self == .pq || self == .hlg }
    }

    var white = Chromaticity(0.3127, 0.3290)
    var red = Chromaticity(0.640, 0.330)
    var green = Chromaticity(0.300, 0.600)
    var blue = Chromaticity(0.150, 0.060)
    var curve = Curve.sRGB
    /// The brightest light in cd/m², for the curve PQ.
    var peak = SourcePeak.standard

    /// Whether the pixels are already sRGB, to within one step of 8 bits.
    var isSRGB: Bool { matches(.sRGB) }

    /// Returns whether the pixels are already those of the gamut, to within one step of 8 bits.
    func matches(_ gamut: ColorGamut) -> Bool {
        let own = gamut.colors
        let pairs = [(white, own.white), (red, own.red), (green, own.green), (blue, own.blue)]
        return curve == .sRGB && pairs.allSatisfy { abs($0.x - $1.x) < 0.002 && abs($0.y - $1.y) < 0.002 }
    }
}

extension CodedColors {
    /// Creates colors from code points of ITU-T H.273, or returns `nil` if one of them is unknown.
    init?(primaries: Int, transfer: Int) {
        self.init()
        switch primaries {
        case 1: break
        case 5: (red, green, blue) = (.init(0.64, 0.33), .init(0.29, 0.60), .init(0.15, 0.06))
        case 6, 7: (red, green, blue) = (.init(0.630, 0.340), .init(0.310, 0.595), .init(0.155, 0.070))
        case 9: (red, green, blue) = (.init(0.708, 0.292), .init(0.170, 0.797), .init(0.131, 0.046))
        case 11, 12: (red, green, blue) = (.init(0.680, 0.320), .init(0.265, 0.690), .init(0.150, 0.060))
        default: return nil
        }
        // DCI-P3 and Display P3 differ only in their white points.
        if primaries == 11 { white = .init(0.314, 0.351) }
        switch transfer {
        // BT.709's curve describes cameras. As in other decoders it means sRGB's, which is closer to that of displays.
        case 1, 6, 13, 14, 15: curve = .sRGB
        case 4: curve = .power(2.2)
        case 5: curve = .power(2.8)
        case 8: curve = .linear
        case 16: curve = .pq
        case 18: curve = .hlg
        default: return nil
        }
    }
}
