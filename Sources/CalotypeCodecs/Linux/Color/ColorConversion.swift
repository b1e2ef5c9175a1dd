/// How stored pixels become sRGB, in place.
enum ColorConversion {
    /// RGB or grey, in BGRA bytes, premultiplied, by its profile.
    case profile(ColorProfile)
    /// RGB or grey, in BGRA bytes, premultiplied, by white, primaries and curve.
    case coded(CodedColors)
    /// CMYK: by its profile where there is a good one, by the plain formula otherwise. Inverted: 255 means no ink.
    case inks(ColorProfile?, inverted: Bool)

    /// For RGB and grey images. Nil where nothing has to be done.
    static func rgb(_ profile: ColorProfile?, isGray: Bool) -> ColorConversion? {
        guard let profile, !profile.isSRGB else { return nil }
        switch profile.space {
        case .rgb: return .profile(profile)
        case .gray: return isGray ? .profile(profile) : nil
        case .cmyk: return nil
        }
    }

    /// For RGB images. Nil where nothing has to be done.
    static func rgb(_ colors: CodedColors) -> ColorConversion? { colors.isSRGB ? nil : .coded(colors) }

    static func cmyk(_ profile: ColorProfile?, inverted: Bool) -> ColorConversion {
        .inks(profile?.space == .cmyk ? profile : nil, inverted: inverted)
    }

    /// A profile that turns out broken is ignored: its image is shown as if it had none.
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
            case .inks(let profile, let inverted): Self.mix(rows, by: profile, inverted: inverted)
            }
        }
    }

    private static func convert(_ rows: PixelRows, hasAlpha: Bool, by change: (PixelRows) -> Void) {
        // Not by lcms2's own formats for premultiplied pixels: with 2.14 their colours come out wrong, because the
        // quick way through a matrix takes every number for one of 8 bits.
        if hasAlpha { rows.forEachRow { UnsafeBufferPointer($0).unpremultiply(into: $0) } }
        change(rows)
        if hasAlpha { rows.forEachRow { $0.premultiply() } }
    }

    private static func mix(_ rows: PixelRows, by profile: ColorProfile?, inverted: Bool) {
        guard let profile, let transform = ColorTransform(from: profile, pixels: inverted ? .cmykInverted : .cmyk)
        else {
            return rows.mixInks(inverted: inverted)
        }
        transform.apply(to: rows)
        rows.makeOpaque()
    }
}
