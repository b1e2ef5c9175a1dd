import CLcms2

/// An lcms2 transform to a gamut, created for one image.
struct ColorTransform: ~Copyable {
    enum Pixels {
        /// RGB or gray with straight alpha. The conversion does not change alpha.
        case bgra
        /// CMYK with 255 for no ink.
        case cmyk
        /// RGBA with 16 bits per channel and straight alpha, which the conversion does not change.
        case deep

        fileprivate var lcmsFormat: cmsUInt32Number {
            switch self {
            case .bgra: calotype_bgra()
            case .cmyk: calotype_cmyk_inverted()
            // lcms2.h: red, green and blue, a fourth channel that is left alone, two bytes each.
            case .deep: UInt32(PT_RGB) << 16 | 1 << 7 | 3 << 3 | 2
            }
        }

        fileprivate var lcmsResult: cmsUInt32Number { self == .deep ? lcmsFormat : calotype_bgra() }

        fileprivate var lcmsFlags: cmsUInt32Number {
            switch self {
            case .bgra: 0
            // The darkest color of a press is lighter than a screen's, to which it is stretched.
            case .cmyk: cmsUInt32Number(cmsFLAGS_BLACKPOINTCOMPENSATION)
            // lcms2 replaces what it must compute with more than 8 bits by a table of 33 colors per channel, which is up to 25
            // steps of 8 bits wrong at the edge of the gamut.
            case .deep: cmsUInt32Number(cmsFLAGS_NOOPTIMIZE)
            }
        }
    }

    private let handle: cmsHTRANSFORM

    /// Returns `nil` if lcms2 cannot use the profile.
    init?(from profile: ColorProfile, pixels: Pixels, to gamut: ColorGamut) {
        guard let source = LcmsProfile(profile) else { return nil }
        self.init(source, pixels, to: gamut, intent: profile.renderingIntent)
    }

    /// Returns `nil` if lcms2 cannot create a transform from these colors.
    init?(from colors: CodedColors, pixels: Pixels, to gamut: ColorGamut) {
        guard let source = LcmsProfile(colors) else { return nil }
        self.init(source, pixels, to: gamut, intent: INTENT_RELATIVE_COLORIMETRIC)
    }

    private init?(_ source: borrowing LcmsProfile, _ pixels: Pixels, to gamut: ColorGamut, intent: Int32) {
        guard let target = gamut == .sRGB ? LcmsProfile.sRGB() : LcmsProfile(gamut.colors),
            let handle = cmsCreateTransformTHR(
                nil, source.handle, pixels.lcmsFormat, target.handle, pixels.lcmsResult, cmsUInt32Number(intent),
                pixels.lcmsFlags)
        else { return nil }
        self.handle = handle
    }

    deinit { cmsDeleteTransform(handle) }

    /// Converts a row of deep pixels in place.
    func apply(to row: DeepRow) {
        cmsDoTransform(handle, row.baseAddress, row.baseAddress, cmsUInt32Number(row.count))
    }

    /// Converts the rows in place. This is possible because all other formats have four bytes per pixel.
    func apply(to rows: PixelRows) {
        let stride = cmsUInt32Number(rows.stride)
        cmsDoTransformLineStride(
            handle, rows.base, rows.base, cmsUInt32Number(rows.width), cmsUInt32Number(rows.height), stride, stride, 0,
            0)
    }
}

/// An open lcms2 profile. A transform copies what it needs, so the profile may be closed before the transform.
private struct LcmsProfile: ~Copyable {
    let handle: cmsHPROFILE

    private init(_ handle: cmsHPROFILE) {
        self.handle = handle
    }

    deinit { cmsCloseProfile(handle) }

    static func sRGB() -> LcmsProfile? {
        cmsCreate_sRGBProfileTHR(nil).map { LcmsProfile($0) }
    }

    init?(_ profile: ColorProfile) {
        let opened = profile.bytes.withUnsafeBytes {
            cmsOpenProfileFromMemTHR(nil, $0.baseAddress, cmsUInt32Number($0.count))
        }
        guard let opened else { return nil }
        guard profile.space == .gray else {
            self.init(opened)
            return
        }
        // Gray pixels are BGRA with three equal channels, so they need an RGB profile with the curve of gray.
        defer { cmsCloseProfile(opened) }
        guard let curve = cmsReadTag(opened, cmsSigGrayTRCTag) else { return nil }
        self.init(CodedColors(), curve: OpaquePointer(curve))
    }

    init?(_ colors: CodedColors) {
        guard let curve = Self.curve(colors.curve) else { return nil }
        defer { cmsFreeToneCurve(curve) }
        self.init(colors, curve: curve)
    }

    private init?(_ colors: CodedColors, curve: OpaquePointer) {
        var white = cmsCIExyY(colors.white)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(colors.red), Green: cmsCIExyY(colors.green), Blue: cmsCIExyY(colors.blue))
        var curves: [OpaquePointer?] = [curve, curve, curve]
        guard let profile = cmsCreateRGBProfileTHR(nil, &white, &primaries, &curves) else { return nil }
        self.init(profile)
    }

    /// Creates an lcms2 curve. Type 4 is a power curve with a linear segment near black. Returns `nil` for PQ and HLG.
    private static func curve(_ curve: CodedColors.Curve) -> OpaquePointer? {
        switch curve {
        case .linear: cmsBuildGamma(nil, 1)
        case .power(let exponent): cmsBuildGamma(nil, exponent)
        case .sRGB: cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        case .pq, .hlg: nil
        }
    }
}

extension cmsCIExyY {
    fileprivate init(_ place: CodedColors.Chromaticity) {
        self.init(x: place.x, y: place.y, Y: 1)
    }
}

extension ColorProfile {
    /// The rendering intent of the profile for colors outside the target. Absolute intents are replaced by relative ones,
    /// because they would tint white.
    fileprivate var renderingIntent: Int32 {
        switch bytes.withUnsafeBytes({ ByteReader($0).uint16(at: 66) }) {
        case 0: INTENT_PERCEPTUAL
        case 2: INTENT_SATURATION
        default: INTENT_RELATIVE_COLORIMETRIC
        }
    }
}
