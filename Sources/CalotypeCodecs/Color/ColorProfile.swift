/// The bytes of an ICC profile, and what its header says. The rest may still turn out broken.
struct ColorProfile {
    enum Space { case rgb, gray, cmyk }

    let bytes: [UInt8]
    let space: Space

    /// Returns `nil` if the header is not that of a profile, or one for a colour space that no image here has.
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

    /// A Boolean value indicating whether the pixels are sRGB already, told from what the profile does: names lie.
    ///
    /// Most photographs say so, in one of a dozen editions of the profile; for them no transform is made.
    var isSRGB: Bool {
        bytes.withUnsafeBytes { pointer in
            let detection = SRGBDetection(ByteReader(pointer))
            return switch space {
            case .rgb: detection.matchesColors
            case .gray: detection.matchesGrays
            case .cmyk: false
            }
        }
    }
}
