/// An ICC profile with a valid header. The remaining bytes may still be damaged.
struct ColorProfile {
    enum Space { case rgb, gray, cmyk }

    let bytes: [UInt8]
    let space: Space

    /// Returns `nil` if the bytes are not a profile, or if their color space is not RGB, gray or CMYK.
    init?(_ bytes: [UInt8]) {
        let space: Space? = bytes.withUnsafeBytes { pointer in
            let reader = ByteReader(pointer)
            guard reader.has("acsp", at: 36) else { return nil }
            if reader.has("RGB ", at: 16) { return .rgb }
            if reader.has("GRAY", at: 16) { return .gray }
            if reader.has("CMYK", at: 16) { return .cmyk }
            return nil
        }
        guard let space else { return nil }
        self.bytes = bytes
        self.space = space
    }

    /// Whether the pixels are already sRGB, determined by the profile's curves and primaries: names are unreliable.
    ///
    /// Most photographs use one of a dozen editions of the sRGB profile, and need no transform.
    var isSRGB: Bool {
        bytes.withUnsafeBytes { pointer in
            let detection = SRGBDetection(ByteReader(pointer))
            return switch space {
            case .rgb: detection.matchesColors(of: .sRGB)
            case .gray: detection.matchesGrays
            case .cmyk: false
            }
        }
    }

    /// Returns whether RGB pixels of the profile are already those of the gamut.
    func matches(_ gamut: ColorGamut) -> Bool {
        space == .rgb && bytes.withUnsafeBytes { SRGBDetection(ByteReader($0)).matchesColors(of: gamut) }
    }

    /// The code points that an RGB profile states (ICC.1:2022, 9.2.17), if they are of a high dynamic range: a profile has no other way
    /// to say so.
    var highRange: CodePoints? {
        guard space == .rgb else { return nil }
        return bytes.withUnsafeBytes { pointer in
            let profile = ByteReader(pointer)
            guard let place = SRGBDetection(profile).place(ofTag: 0x6369_6370), profile.has("cicp", at: place),
                let points = profile.bytes(at: place + 8, count: 4), points[2] == 0, points[3] == 1
            else { return nil }
            let found = CodePoints(primaries: Int(points[0]), transfer: Int(points[1]))
            return found.colors?.curve.isHDR == true ? found : nil
        }
    }
}

/// Two code points of ITU-T H.273.
struct CodePoints {
    let primaries: Int
    let transfer: Int

    /// The colors, or `nil` if a code point is unknown.
    var colors: CodedColors? { CodedColors(primaries: primaries, transfer: transfer) }

    /// The name of the colors, such as "BT.2020 PQ", or `nil` if they have none.
    var name: String? { CodedColors.name(primaries: primaries, transfer: transfer) }
}
