import CLcms2

/// A transform of lcms2 from a profile to sRGB, for one picture.
struct ColorTransform: ~Copyable {
    enum Pixels {
        /// RGB or grey. Alpha is left alone: not premultiplied.
        case bgra
        case cmyk
        /// 255 means no ink.
        case cmykInverted
    }

    private let handle: cmsHTRANSFORM

    /// Nil where lcms2 cannot use the profile.
    init?(from profile: ColorProfile, pixels: Pixels) {
        guard let source = LcmsProfile(profile), let target = LcmsProfile.sRGB() else { return nil }
        guard
            let handle = cmsCreateTransformTHR(
                nil, source.handle, pixels.lcmsFormat, target.handle, calotype_bgra(),
                cmsUInt32Number(INTENT_PERCEPTUAL), 0)
        else { return nil }
        self.handle = handle
    }

    deinit { cmsDeleteTransform(handle) }

    /// Every format has four bytes a pixel, so the result takes the place of the source.
    func apply(to rows: PixelRows) {
        let stride = cmsUInt32Number(rows.stride)
        cmsDoTransformLineStride(
            handle, rows.base, rows.base, cmsUInt32Number(rows.width), cmsUInt32Number(rows.height), stride, stride, 0,
            0)
    }
}

extension ColorTransform.Pixels {
    fileprivate var lcmsFormat: cmsUInt32Number {
        switch self {
        case .bgra: calotype_bgra()
        case .cmyk: calotype_cmyk()
        case .cmykInverted: calotype_cmyk_inverted()
        }
    }
}

/// An open profile. The transform keeps what it needs of it.
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
        defer { cmsCloseProfile(opened) }
        guard let rgb = Self.rgb(withCurveOf: opened) else { return nil }
        self.init(rgb)
    }

    /// Grey pixels lie in memory as BGRA with three equal channels: an RGB profile with the grey curve reads them as
    /// they are.
    private static func rgb(withCurveOf gray: cmsHPROFILE) -> cmsHPROFILE? {
        guard let curve = cmsReadTag(gray, cmsSigGrayTRCTag) else { return nil }
        let tone = OpaquePointer(curve)
        var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: 0.64, y: 0.33, Y: 1), Green: cmsCIExyY(x: 0.30, y: 0.60, Y: 1),
            Blue: cmsCIExyY(x: 0.15, y: 0.06, Y: 1))
        var curves: [OpaquePointer?] = [tone, tone, tone]
        return cmsCreateRGBProfileTHR(nil, &white, &primaries, &curves)
    }
}
