/// An in-place conversion of stored pixels to sRGB.
enum ColorConversion {
    /// Premultiplied BGRA pixels, RGB or gray, whose colors are defined by a profile.
    case profile(ColorProfile)
    /// Premultiplied BGRA pixels, RGB or gray, whose colors are defined by white point, primaries and curve.
    case coded(CodedColors)
    /// CMYK pixels, converted by the profile, or by a simple formula without one.
    ///
    /// 255 means no ink, as in a JPEG: Adobe's programs store the channels inverted there, and others follow, with or
    /// without Adobe's marker.
    case inks(ColorProfile?)

    /// Returns the conversion for RGB and gray images. Returns `nil`, so that the pixels count as sRGB, if the profile
    /// is missing, is sRGB, or is for another kind of pixels.
    static func rgb(_ profile: ColorProfile?, isGray: Bool) -> ColorConversion? {
        guard let profile, !profile.isSRGB else { return nil }
        switch profile.space {
        case .rgb: return .profile(profile)
        case .gray: return isGray ? .profile(profile) : nil
        case .cmyk: return nil
        }
    }

    /// Returns the conversion from these colors, or `nil` if they are sRGB.
    static func rgb(_ colors: CodedColors) -> ColorConversion? { colors.isSRGB ? nil : .coded(colors) }

    /// Returns the conversion for the code points of an AVIF or HEIC, or `nil` if they mean sRGB or one is unknown.
    ///
    /// - Parameter peak: The brightest light in cd/m², if the file states it.
    static func rgb(primaries: Int, transfer: Int, peak: Double?) -> ColorConversion? {
        guard var coded = CodedColors(primaries: primaries, transfer: transfer) else { return nil }
        // BT.709's curve describes cameras. Like other decoders, use sRGB's, which is closer to that of displays.
        if coded.curve == .bt709 { coded.curve = .sRGB }
        coded.peak = peak ?? coded.peak
        return .rgb(coded)
    }

    static func cmyk(_ profile: ColorProfile?) -> ColorConversion {
        .inks(profile?.space == .cmyk ? profile : nil)
    }

    /// Returns the mapping of samples with more than 8 bits, which precedes their rounding to 8. Returns `nil` if the samples
    /// have 8 bits, or their range is not high.
    func toneMapping(bits: Int) -> ToneMapping? {
        guard bits > 8, case .coded(let colors) = self else { return nil }
        return ToneMapping(colors, bits: bits)
    }

    /// Converts the bitmap. If the profile or the colors cannot be used, leaves RGB and gray pixels unchanged, and
    /// converts CMYK by a simple formula.
    func apply(to bitmap: inout Bitmap) throws(CodecError) {
        let (width, height, stride, hasAlpha) = (bitmap.width, bitmap.height, bitmap.stride, bitmap.hasAlpha)
        try bitmap.withUnsafeMutableBytes { (pixels) throws(CodecError) in
            let rows = PixelRows(pixels, width: width, height: height, stride: stride)
            switch self {
            case .profile(let profile):
                guard let transform = ColorTransform(from: profile, pixels: .bgra) else { return }
                Self.convert(rows, hasAlpha: hasAlpha) { transform.apply(to: $0) }
            case .coded(let colors) where colors.curve.isHDR:
                guard let mapping = ToneMapping(colors) else { return }
                Self.convert(rows, hasAlpha: hasAlpha) { mapping.apply(to: $0) }
            case .coded(let colors):
                guard let transform = ColorTransform(from: colors) else { return }
                Self.convert(rows, hasAlpha: hasAlpha) { transform.apply(to: $0) }
            case .inks(let profile):
                guard let profile, let transform = ColorTransform(from: profile, pixels: .cmyk) else {
                    return rows.mixInks()
                }
                transform.apply(to: rows)
                rows.makeOpaque()
            }
        }
    }

    private static func convert(_ rows: PixelRows, hasAlpha: Bool, by change: (PixelRows) -> Void) {
        // Do not use lcms2's formats for premultiplied pixels: 2.14 converts them incorrectly, because its fast path
        // for matrices treats every number as 8-bit.
        if hasAlpha { rows.forEachRow { UnsafeBufferPointer($0).unpremultiply(into: $0) } }
        change(rows)
        if hasAlpha { rows.forEachRow { $0.premultiply() } }
    }
}
