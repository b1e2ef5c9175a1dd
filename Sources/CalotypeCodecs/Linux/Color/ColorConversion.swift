/// An in-place conversion of stored pixels to sRGB, or to a wider gamut if their colors need it, or the first frame's of their
/// animation.
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
        guard let profile else { return nil }
        if let colors = profile.highRange?.colors { return .coded(colors) }
        guard !profile.isSRGB else { return nil }
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
    static func rgb(_ points: CodePoints, peak: Double?) -> ColorConversion? {
        guard var coded = points.colors else { return nil }
        coded.peak = peak ?? coded.peak
        return .rgb(coded)
    }

    static func cmyk(_ profile: ColorProfile?) -> ColorConversion {
        .inks(profile?.space == .cmyk ? profile : nil)
    }

    /// Returns the mapping of samples with these bits to a gamut. Returns `nil` if their range is not high.
    func toneMapping(bits: Int, to gamut: ColorGamut) -> ToneMapping? {
        guard case .coded(let colors) = self else { return nil }
        return ToneMapping(colors, bits: bits, to: gamut)
    }

    /// Converts the bitmap. If the profile or the colors cannot be used, leaves RGB and gray pixels unchanged, and
    /// converts CMYK by a simple formula.
    ///
    /// - Parameter gamut: The widest gamut that the bitmap may have. High dynamic range becomes sRGB in any case.
    func apply(to bitmap: inout Bitmap, within gamut: ColorGamut = .sRGB) throws(CodecError) {
        if gamut != .sRGB, try apply(to: &bitmap, reaching: gamut) { return }
        bitmap = bitmap.declaring(gamut: .sRGB)
        let (size, stride, hasAlpha) = (bitmap.size, bitmap.stride, bitmap.hasAlpha)
        try bitmap.withUnsafeMutableBytes { pixels in
            let rows = PixelRows(pixels, size: size, stride: stride)
            if case .coded(let colors) = self, colors.curve.isHDR {
                guard let mapping = ToneMapping(colors) else { return }
                return rows.changeStraight(hasAlpha: hasAlpha) { mapping.apply(to: $0) }
            }
            if let transform = transform(to: .sRGB) { return apply(transform, to: rows, hasAlpha: hasAlpha) }
            if case .inks = self { rows.mixInks() }
        }
    }

    /// Converts the bitmap to this gamut whether or not its colors need it, so that all frames of an animation have one gamut.
    ///
    /// High dynamic range, gray, and colors that the conversion cannot use become sRGB.
    func apply(to bitmap: inout Bitmap, as gamut: ColorGamut) throws(CodecError) {
        guard gamut != .sRGB, mayExceedSRGB else { return try apply(to: &bitmap) }
        if !matches(gamut) {
            guard let transform = transform(to: gamut) else { return try apply(to: &bitmap) }
            let (size, stride, hasAlpha) = (bitmap.size, bitmap.stride, bitmap.hasAlpha)
            try bitmap.withUnsafeMutableBytes { pixels in
                apply(transform, to: PixelRows(pixels, size: size, stride: stride), hasAlpha: hasAlpha)
            }
        }
        bitmap = bitmap.declaring(gamut: gamut)
    }

    /// Converts the bitmap to a gamut wider than sRGB, if its colors are beyond sRGB. Otherwise returns `false`.
    private func apply(to bitmap: inout Bitmap, reaching gamut: ColorGamut) throws(CodecError) -> Bool {
        guard mayExceedSRGB, let wide = WideColors(in: gamut) else { return false }
        let (size, stride, hasAlpha) = (bitmap.size, bitmap.stride, bitmap.hasAlpha)
        let isWide: Bool
        if matches(gamut) {
            isWide = try bitmap.withUnsafeBytes { (pixels) throws(CodecError) in
                let rows = PixelRows(.init(mutating: pixels), size: size, stride: stride)
                return try wide.areIn(size) { row, y in _ = row.update(from: rows.row(y)) }
            }
        } else {
            guard let transform = transform(to: gamut) else { return false }
            isWide = try bitmap.withUnsafeMutableBytes { (pixels) throws(CodecError) in
                let rows = PixelRows(pixels, size: size, stride: stride)
                let isWide = try wide.areIn(size) { row, y in
                    _ = row.update(from: rows.row(y))
                    let copy = PixelRows(
                        UnsafeMutableRawBufferPointer(row), width: row.count, height: 1, stride: 4 * row.count)
                    apply(transform, to: copy, hasAlpha: hasAlpha)
                }
                if isWide { apply(transform, to: rows, hasAlpha: hasAlpha) }
                return isWide
            }
        }
        if isWide { bitmap = bitmap.declaring(gamut: gamut) }
        return isWide
    }

    var mayExceedSRGB: Bool {
        switch self {
        case .profile(let profile): profile.space == .rgb
        case .coded(let colors): !colors.curve.isHDR
        case .inks(let profile): profile != nil
        }
    }

    /// Whether the stored pixels are those of the gamut.
    func matches(_ gamut: ColorGamut) -> Bool {
        switch self {
        case .profile(let profile): profile.matches(gamut)
        case .coded(let colors): colors.matches(gamut)
        case .inks: false
        }
    }

    /// Returns `nil` if the profile or the colors cannot be used.
    private func transform(to gamut: ColorGamut) -> ColorTransform? {
        switch self {
        case .profile(let profile): ColorTransform(from: profile, pixels: .bgra, to: gamut)
        case .coded(let colors): ColorTransform(from: colors, pixels: .bgra, to: gamut)
        case .inks(let profile): profile.flatMap { ColorTransform(from: $0, pixels: .cmyk, to: gamut) }
        }
    }

    private func apply(_ transform: borrowing ColorTransform, to rows: PixelRows, hasAlpha: Bool) {
        if case .inks = self {
            transform.apply(to: rows)
            return rows.makeOpaque()
        }
        // Do not use lcms2's formats for premultiplied pixels: 2.14 converts them incorrectly, because its fast path
        // for matrices treats every number as 8-bit.
        if hasAlpha { rows.forEachRow { UnsafeBufferPointer($0).unpremultiply(into: $0) } }
        transform.apply(to: rows)
        if hasAlpha { rows.forEachRow { $0.premultiply() } }
    }
}
