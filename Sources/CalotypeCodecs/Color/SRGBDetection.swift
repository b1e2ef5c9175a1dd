import Foundation

/// Compares a matrix profile with sRGB: three primaries (adapted to D50) and three curves, within what rounding makes.
struct SRGBDetection {
    private let profile: ByteReader
    private let tags: [Int: Range<Int>]

    init(_ profile: ByteReader) {
        self.profile = profile
        tags = Self.readTags(profile)
    }

    var matches: Bool {
        // A table takes precedence over the matrix, and may do anything.
        guard tags[Tag.aToB0] == nil else { return false }
        return primary(Tag.redXYZ, is: (0.4360, 0.2225, 0.0139))
            && primary(Tag.greenXYZ, is: (0.3851, 0.7169, 0.0971))
            && primary(Tag.blueXYZ, is: (0.1431, 0.0606, 0.7141))
            && [Tag.redCurve, Tag.greenCurve, Tag.blueCurve].allSatisfy(isSRGBCurve)
    }

    private enum Tag {
        static let redXYZ = 0x7258_595A, greenXYZ = 0x6758_595A, blueXYZ = 0x6258_595A
        static let redCurve = 0x7254_5243, greenCurve = 0x6754_5243, blueCurve = 0x6254_5243
        static let aToB0 = 0x4132_4230
    }

    /// ICC.1, 7.3: count, then signature, offset and size of each.
    private static func readTags(_ profile: ByteReader) -> [Int: Range<Int>] {
        var tags: [Int: Range<Int>] = [:]
        for index in 0..<min(profile.uint32(at: 128) ?? 0, 100) {
            let entry = 132 + 12 * index
            guard let signature = profile.uint32(at: entry), let offset = profile.uint32(at: entry + 4),
                let size = profile.uint32(at: entry + 8)
            else { break }
            tags[signature] = offset..<offset + size
        }
        return tags
    }

    private func primary(_ tag: Int, is expected: (Double, Double, Double)) -> Bool {
        guard let range = tags[tag], profile.has("XYZ ", at: range.lowerBound),
            let x = fixed(at: range.lowerBound + 8), let y = fixed(at: range.lowerBound + 12),
            let z = fixed(at: range.lowerBound + 16)
        else { return false }
        return max(abs(x - expected.0), abs(y - expected.1), abs(z - expected.2)) < 0.003
    }

    /// The straight piece near black, the middle and the light part: a plain power misses one of them.
    private func isSRGBCurve(_ tag: Int) -> Bool {
        guard let range = tags[tag] else { return false }
        return [0.02, 0.1, 0.5, 0.8].allSatisfy { input in
            guard let output = curve(at: range.lowerBound, of: input) else { return false }
            return abs(output - Self.linear(input)) < 0.002
        }
    }

    private static func linear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private func curve(at offset: Int, of input: Double) -> Double? {
        if profile.has("curv", at: offset) { return table(at: offset, of: input) }
        if profile.has("para", at: offset) { return parametric(at: offset, of: input) }
        return nil
    }

    private func table(at offset: Int, of input: Double) -> Double? {
        guard let count = profile.uint32(at: offset + 8), count > 1 else { return nil }
        let position = input * Double(count - 1)
        let index = min(Int(position), count - 2)
        guard let low = profile.uint16(at: offset + 12 + 2 * index),
            let high = profile.uint16(at: offset + 14 + 2 * index)
        else { return nil }
        return (Double(low) + Double(high - low) * (position - Double(index))) / 65535
    }

    /// ICC.1, 10.18, function type 3, which is how sRGB is written. Others go through the transform.
    private func parametric(at offset: Int, of input: Double) -> Double? {
        guard profile.uint16(at: offset + 8) == 3, let g = fixed(at: offset + 12), let a = fixed(at: offset + 16),
            let b = fixed(at: offset + 20), let c = fixed(at: offset + 24), let d = fixed(at: offset + 28)
        else { return nil }
        return input >= d ? pow(a * input + b, g) : c * input
    }

    /// s15Fixed16Number.
    private func fixed(at offset: Int) -> Double? {
        profile.uint32(at: offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65536 }
    }
}
