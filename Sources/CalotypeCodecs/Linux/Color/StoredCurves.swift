import Foundation

/// Curves that are far from sRGB's, above all linear light, as tables of sRGB's stored values.
///
/// Scaling averages stored values. Those of linear light must become sRGB's before: otherwise bright edges get dark rings.
struct StoredCurves {
    /// The distance, of the value for half of the largest sample, that makes a curve one that is far. Powers from 1.7 to 2.9 are nearer.
    private static let distance = 0.1

    private let red: [UInt16]
    private let green: [UInt16]
    private let blue: [UInt16]
    /// The largest sample.
    private let most: UInt16

    /// Returns `nil` if the curves are near sRGB's, or damaged.
    ///
    /// - Parameters:
    ///   - most: The largest sample.
    ///   - count: The number of curves: one for all channels, or one for each of the three.
    ///   - light: Returns the light, from 0 to 1, of a stored value by the curve with this number.
    init?(most: UInt16, count: Int, _ light: (_ curve: Int, _ stored: Double) -> Double) {
        guard (0..<count).contains(where: { abs(SRGBCurve.stored(of: light($0, 0.5)) - 0.5) > Self.distance }) else {
            return nil
        }
        func table(_ curve: Int) -> [UInt16]? {
            var table: [UInt16] = []
            table.reserveCapacity(Int(most) + 1)
            for sample in 0...most {
                let light = light(curve, Double(sample) / Double(most))
                guard light.isFinite else { return nil }
                table.append(UInt16((65_535 * SRGBCurve.stored(of: min(max(light, 0), 1))).rounded()))
            }
            return table
        }
        let tables = (0..<count).compactMap(table)
        guard tables.count == count else { return nil }
        (red, green, blue) = (tables[0], tables[count / 2], tables[count - 1])
        self.most = most
    }

    /// Converts a row of straight RGBA in place, to 16 bits.
    func apply(to row: DeepRow) {
        for x in row.indices {
            // A damaged image may have larger samples than its bits permit.
            let pixel = row[x] & SIMD4(repeating: most)
            let alpha = pixel.w == most ? .max : UInt16(UInt32(pixel.w) * 65_535 / UInt32(most))
            row[x] = SIMD4(red[Int(pixel.x)], green[Int(pixel.y)], blue[Int(pixel.z)], alpha)
        }
    }

    /// Converts rows of premultiplied BGRA with 8 bits in place. The largest sample must be 255.
    func apply(to rows: PixelRows, hasAlpha: Bool) {
        func byte(_ word: UInt16) -> UInt32 { (UInt32(word) * 255 + 32_767) / 65_535 }
        rows.changeStraight(hasAlpha: hasAlpha) { rows in
            rows.forEachRow { row in
                for x in row.indices {
                    let pixel = row[x]
                    row[x] =
                        pixel & 0xFF00_0000 | byte(red[Int(pixel >> 16 & 0xFF)]) << 16
                        | byte(green[Int(pixel >> 8 & 0xFF)]) << 8 | byte(blue[Int(pixel & 0xFF)])
                }
            }
        }
    }
}

extension ColorConversion {
    /// Returns the tables for curves that are far from sRGB's, and the conversion that remains once they are applied. Returns `nil` if
    /// the curves are near, or if the conversion cannot be used.
    ///
    /// - Parameter most: The largest sample.
    func replacingCurves(most: UInt16) -> (curves: StoredCurves, remaining: ColorConversion?)? {
        switch self {
        case .coded(var colors):
            let exponent: Double
            switch colors.curve {
            case .linear: exponent = 1
            case .power(let power): exponent = power
            case .sRGB, .pq, .hlg: return nil
            }
            guard let curves = StoredCurves(most: most, count: 1, { pow($1, exponent) }),
                deepTransform(to: .sRGB) != nil
            else { return nil }
            colors.curve = .sRGB
            return (curves, .rgb(colors))
        case .profile(let profile):
            guard let curves = profile.storedCurves(most: most), let remaining = profile.replacingCurves(),
                deepTransform(to: .sRGB) != nil
            else { return nil }
            return (curves, .rgb(remaining, isGray: profile.space == .gray))
        case .inks: return nil
        }
    }
}

extension ColorProfile {
    /// The signatures of the curves of red, green, blue and gray.
    private static let curveTags = [0x7254_5243, 0x6754_5243, 0x6254_5243, 0x6B54_5243]
    /// The signatures of tables, which take precedence over the matrix and the curves: A2B0 to A2B2, D2B0 to D2B3.
    private static let tableTags = (0...2).map { 0x4132_4230 + $0 } + (0...3).map { 0x4432_4230 + $0 }

    /// Returns the tables for the curves of a matrix profile, or `nil` if they are near sRGB's or damaged.
    fileprivate func storedCurves(most: UInt16) -> StoredCurves? {
        bytes.withUnsafeBytes { pointer in
            let tags = SRGBDetection(ByteReader(pointer))
            guard Self.tableTags.allSatisfy({ tags.place(ofTag: $0) == nil }) else { return nil }
            let names = space == .gray ? [Self.curveTags[3]] : Array(Self.curveTags[..<3])
            let places = names.compactMap { tags.place(ofTag: $0) }
            let curves = places.compactMap { ToneCurve(ByteReader(pointer), at: $0) }
            guard curves.count == names.count else { return nil }
            // Most profiles store one curve and reference it three times.
            return StoredCurves(most: most, count: Set(places).count == 1 ? 1 : curves.count) { curve, stored in
                curves[curve].light(of: stored)
            }
        }
    }

    /// Returns the profile with sRGB's curve in place of its own, at the end of its bytes.
    fileprivate func replacingCurves() -> ColorProfile? {
        let curve = GamutProfile.curveTag
        var changed = bytes + [UInt8](repeating: 0, count: -bytes.count & 3)
        let place = changed.count
        changed += curve
        func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        bytes.withUnsafeBytes { pointer in
            let profile = ByteReader(pointer)
            for entry in (0..<min(profile.uint32(at: 128) ?? 0, 100)).map({ 132 + 12 * $0 }) {
                guard let tag = profile.uint32(at: entry), Self.curveTags.contains(tag), entry + 12 <= bytes.count
                else { continue }
                changed.replaceSubrange(entry + 4..<entry + 12, with: number(place) + number(curve.count))
            }
        }
        changed.replaceSubrange(0..<4, with: number(changed.count))
        return ColorProfile(changed)
    }
}
