/// The conversion of deep pixels to sRGB, or to a wider gamut if their colors need it. Which of the two is known only with the last row, so
/// that both are made.
struct DeepConversion: ~Copyable {
    /// A gamut wider than sRGB that the pixels may need.
    private let wide: ColorGamut?
    /// The conversion to the wide gamut, or to sRGB if there is none. If `nil`, the pixels are in it.
    private let transform: ColorTransform?
    private let toSRGB: GamutConversion?

    /// If the profile or the colors cannot be used, the pixels stay unchanged.
    ///
    /// - Parameters:
    ///   - colors: The colors of the pixels, which are of no high dynamic range. If `nil`, they are sRGB.
    ///   - gamut: The widest gamut that the pixels may have afterwards.
    init(_ colors: ColorConversion?, within gamut: ColorGamut) {
        guard let colors else {
            wide = nil
            transform = nil
            toSRGB = nil
            return
        }
        // Display P3 is a cheap way to sRGB for the pixels that are in it.
        let target = colors.matches(.displayP3) ? .displayP3 : colors.mayExceedSRGB ? gamut : .sRGB
        let transform = colors.matches(target) ? nil : colors.deepTransform(to: target)
        let isUsable = transform != nil || colors.matches(target)
        wide = isUsable && target == gamut && gamut != .sRGB ? gamut : nil
        toSRGB = isUsable ? GamutConversion(from: target, to: .sRGB) : nil
        self.transform = transform
    }

    /// Makes a bitmap of rows that `read` delivers in order to its argument, as premultiplied RGBA.
    func bitmap(
        _ size: PixelSize, hasAlpha: Bool, _ read: (_ take: (DeepRow) -> Void) throws(CodecError) -> Void
    ) throws(CodecError) -> Bitmap {
        var wideBitmap: Bitmap?
        let narrow = try Bitmap(size, hasAlpha: hasAlpha) { (pixels, stride) throws(CodecError) in
            var narrow = try DeepRounding(to: PixelRows(pixels, size: size, stride: stride))
            guard wide != nil else {
                return try read { row in
                    convert(row, hasAlpha: hasAlpha)
                    convertToSRGB(row, hasAlpha: hasAlpha)
                    narrow.add(row)
                }
            }
            wideBitmap = try Bitmap(size, hasAlpha: hasAlpha) { (pixels, stride) throws(CodecError) in
                var wide = try DeepRounding(to: PixelRows(pixels, size: size, stride: stride))
                try read { row in
                    convert(row, hasAlpha: hasAlpha)
                    wide.add(row)
                    convertToSRGB(row, hasAlpha: hasAlpha)
                    narrow.add(row)
                }
            }
        }
        guard let wide, let colors = WideColors(in: wide), let wideBitmap else { return narrow }
        let isWide = try wideBitmap.withUnsafeBytes { (pixels) throws(CodecError) in
            let rows = PixelRows(.init(mutating: pixels), size: size, stride: wideBitmap.stride)
            return try colors.areIn(size) { row, y in _ = row.update(from: rows.row(y)) }
        }
        return isWide ? wideBitmap.declaring(gamut: wide) : narrow
    }

    private func convert(_ row: DeepRow, hasAlpha: Bool) {
        switch transform {
        case .none: return
        case .some(let transform): row.changeStraight(hasAlpha: hasAlpha) { transform.apply(to: $0) }
        }
    }

    private func convertToSRGB(_ row: DeepRow, hasAlpha: Bool) {
        guard let toSRGB else { return }
        row.changeStraight(hasAlpha: hasAlpha) { toSRGB.apply(to: $0) }
    }
}

extension DeepRow {
    /// Changes the colors of premultiplied pixels by a function of straight ones.
    fileprivate func changeStraight(hasAlpha: Bool, by change: (DeepRow) -> Void) {
        if hasAlpha { unpremultiply() }
        change(self)
        if hasAlpha { premultiply() }
    }
}

extension ColorConversion {
    /// Returns `nil` if the profile or the colors cannot be used.
    func deepTransform(to gamut: ColorGamut) -> ColorTransform? {
        switch self {
        case .profile(let profile): ColorTransform(from: profile, pixels: .deep, to: gamut)
        case .coded(let colors): ColorTransform(from: colors, pixels: .deep, to: gamut)
        case .inks: nil
        }
    }
}
