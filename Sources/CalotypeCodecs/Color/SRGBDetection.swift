/// The comparison of an ICC profile with sRGB, or with another gamut of its curve: three primaries, adapted to D50, and three curves, each to within one
/// step of 8 bits. The comparison ignores the profile's version and description, which are unreliable, and the form in
/// which it stores the curves.
struct SRGBDetection {
    private let profile: ByteReader
    private var tags: [Int: Range<Int>] = [:]

    /// Reads the tag table (ICC.1, 7.3): a count, then the signature, offset and size of each tag.
    init(_ profile: ByteReader) {
        self.profile = profile
        for index in 0..<min(profile.uint32(at: 128) ?? 0, 100) {
            let entry = 132 + 12 * index
            guard let signature = profile.uint32(at: entry), let offset = profile.uint32(at: entry + 4),
                let size = profile.uint32(at: entry + 8)
            else { break }
            tags[signature] = offset..<offset + size
        }
    }

    /// Returns where the content of a tag begins.
    func place(ofTag signature: Int) -> Int? { tags[signature]?.lowerBound }

    /// Returns whether a profile of RGB pixels is that of the gamut.
    func matchesColors(of gamut: ColorGamut) -> Bool {
        let primaries: [(Double, Double, Double)] =
            gamut == .displayP3
            ? [(0.5151, 0.2412, -0.0011), (0.2920, 0.6922, 0.0419), (0.1571, 0.0666, 0.7841)]
            : [(0.4360, 0.2225, 0.0139), (0.3851, 0.7169, 0.0971), (0.1431, 0.0606, 0.7141)]
        return isMatrix
            && zip([Tag.redXYZ, Tag.greenXYZ, Tag.blueXYZ], primaries).allSatisfy { primary($0, is: $1) }
            && areSRGBCurves([Tag.redCurve, Tag.greenCurve, Tag.blueCurve])
    }

    /// Whether a profile of gray pixels has the curve of sRGB.
    var matchesGrays: Bool { isMatrix && areSRGBCurves([Tag.grayCurve]) }

    /// Whether the profile is matrix-based. A lookup table takes precedence over the matrix and may contain any transform.
    private var isMatrix: Bool { tags[Tag.aToB0] == nil && tags[Tag.dToB0] == nil }

    private enum Tag {
        static let redXYZ = 0x7258_595A, greenXYZ = 0x6758_595A, blueXYZ = 0x6258_595A
        static let redCurve = 0x7254_5243, greenCurve = 0x6754_5243, blueCurve = 0x6254_5243
        static let grayCurve = 0x6B54_5243
        static let aToB0 = 0x4132_4230, dToB0 = 0x4432_4230
    }

    /// Returns whether a primary equals `expected`. A deviation of 0.003 is less than one step of 8 bits.
    private func primary(_ tag: Int, is expected: (Double, Double, Double)) -> Bool {
        guard let offset = tags[tag]?.lowerBound, profile.has("XYZ ", at: offset),
            let x = profile.fixed(at: offset + 8), let y = profile.fixed(at: offset + 12),
            let z = profile.fixed(at: offset + 16)
        else { return false }
        return max(abs(x - expected.0), abs(y - expected.1), abs(z - expected.2)) < 0.003
    }

    private func areSRGBCurves(_ names: [Int]) -> Bool {
        let places = names.compactMap { tags[$0]?.lowerBound }
        guard places.count == names.count else { return false }
        // Most profiles store one curve and reference it three times.
        return Set(places).allSatisfy { ToneCurve(profile, at: $0)?.isSRGB ?? false }
    }
}
