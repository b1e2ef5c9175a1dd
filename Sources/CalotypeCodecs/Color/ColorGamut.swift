/// The red, green and blue of pixels, and with them the colors that they can show. The white point, D65, and the curve, sRGB's, are
/// the same in every gamut.
public struct ColorGamut: Hashable, Sendable, CustomStringConvertible {
    private let number: UInt8

    /// The gamut of sRGB, which every program assumes for an image without a profile.
    public static let sRGB = ColorGamut(number: 0)
    /// The gamut of Display P3, which the cameras and screens of phones have: stronger reds and greens.
    public static let displayP3 = ColorGamut(number: 1)

    /// The name: "sRGB" or "Display P3".
    public var description: String { self == .displayP3 ? "Display P3" : "sRGB" }

    /// The code point of the primaries (ITU-T H.273).
    var primaries: Int { self == .displayP3 ? 12 : 1 }

    /// The code point of the curve: sRGB's.
    static let transfer = 13

    var colors: CodedColors { CodedColors(primaries: primaries, transfer: Self.transfer) ?? CodedColors() }
}

/// A conversion of straight 8-bit pixels from one gamut to another. Colors outside the other gamut are clipped.
struct GamutConversion {
    private let red, green, blue: SIMD4<Float>

    /// Returns `nil` if the gamuts are equal.
    init?(from source: ColorGamut, to target: ColorGamut) {
        guard source != target, let matrix = Matrix3(toXYZFrom: source.colors),
            let inverse = Matrix3(toXYZFrom: target.colors)?.inverse
        else { return nil }
        let columns = (inverse * matrix).columns
        (red, green, blue) = (SIMD4(columns.0), SIMD4(columns.1), SIMD4(columns.2))
    }

    /// Returns the light of a BGRA pixel in the other gamut: red, green and blue, each from 0 to 1 if the gamut has the color.
    @inline(__always)
    func light(of pixel: UInt32) -> SIMD4<Float> {
        let light = SRGBCurve.light
        return red * light[Int(pixel >> 16 & 0xFF)] + green * light[Int(pixel >> 8 & 0xFF)]
            + blue * light[Int(pixel & 0xFF)]
    }

    /// Returns a straight BGRA pixel in the other gamut. Alpha is unchanged.
    @inline(__always)
    func converted(_ pixel: UInt32) -> UInt32 {
        let light = light(of: pixel)
        return pixel & 0xFF00_0000 | UInt32(SRGBCurve.stored(light.x)) << 16 | UInt32(SRGBCurve.stored(light.y)) << 8
            | UInt32(SRGBCurve.stored(light.z))
    }

    /// Converts rows of straight pixels in place.
    func apply(to rows: PixelRows) {
        // Neighbors are often equal.
        rows.forEachRow { row in
            var (last, result): (UInt32, UInt32) = (0, converted(0))
            for x in row.indices {
                if row[x] != last { (last, result) = (row[x], converted(row[x])) }
                row[x] = result
            }
        }
    }

    /// Converts a row of straight pixels with 16 bits in place.
    func apply(to row: DeepRow) {
        let (light, curve) = (SRGBCurve.deepLight, SRGBCurve.Table())
        for x in row.indices {
            let pixel = row[x]
            var color = curve.stored(
                red * light[Int(pixel.x)] + green * light[Int(pixel.y)] + blue * light[Int(pixel.z)])
            color.w = pixel.w
            row[x] = color
        }
    }
}

extension Bitmap {
    /// Returns the bitmap in another gamut, where colors that it lacks are clipped. Returns this bitmap if that is its gamut.
    ///
    /// - Throws: `tooLarge` if memory is exhausted.
    public func converted(to gamut: ColorGamut) throws(CodecError) -> Bitmap {
        guard let conversion = GamutConversion(from: self.gamut, to: gamut) else { return self }
        var bitmap = self
        let (width, height, stride, hasAlpha) = (width, height, stride, hasAlpha)
        try bitmap.withUnsafeMutableBytes { pixels in
            PixelRows(pixels, width: width, height: height, stride: stride).changeStraight(hasAlpha: hasAlpha) {
                conversion.apply(to: $0)
            }
        }
        return bitmap.declaring(gamut: gamut)
    }
}

extension ImageColor {
    /// Returns the same color in a bitmap of this gamut. The color itself is sRGB.
    func converted(to gamut: ColorGamut) -> ImageColor {
        guard let conversion = GamutConversion(from: .sRGB, to: gamut) else { return self }
        let pixel = conversion.converted(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
        return ImageColor(
            red: UInt8(truncatingIfNeeded: pixel >> 16), green: UInt8(truncatingIfNeeded: pixel >> 8),
            blue: UInt8(truncatingIfNeeded: pixel), alpha: alpha)
    }
}
