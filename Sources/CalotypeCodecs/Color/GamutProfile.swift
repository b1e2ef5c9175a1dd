import Foundation

/// The ICC profile of a gamut (ICC.1:2022): a matrix and sRGB's curve, in fewer than 500 bytes.
struct GamutProfile {
    private let name: String
    /// Red, green and blue in XYZ under D50, in 65,536ths.
    private let primaries: [[Int32]]

    // Computed for each use, in microseconds: the leak check of the fuzzer reports constant Data of this length as lost memory.

    /// The profile of Display P3. sRGB needs none: readers assume it.
    static var displayP3: Data {
        GamutProfile(
            name: "Display P3",
            primaries: [[33_759, 15_807, -69], [19_135, 45_367, 2745], [10_296, 4363, 51_385]]
        ).bytes
    }

    /// The profile of sRGB, for readers that would take other colors from a file's code points.
    static var sRGB: Data {
        GamutProfile(
            name: "sRGB", primaries: [[28_576, 14_581, 912], [25_239, 46_983, 6361], [9375, 3972, 46_787]]
        ).bytes
    }

    /// The profile of the primaries of ITU-R BT.2020.
    static var bt2020: Data {
        GamutProfile(
            name: "BT.2020",
            primaries: [[44_137, 18_287, -127], [10_857, 44_259, 1965], [8195, 2989, 52_222]]
        ).bytes
    }

    /// The white of the profile connection space, D50.
    private static let white: [Int32] = [63_190, 65_536, 54_061]
    /// The adaptation of D65 to D50 by the Bradford matrix.
    private static let adaptation: [Int32] = [68_674, 1502, -3291, 1939, 64_912, -1119, -606, 988, 49_262]
    /// The exponent of sRGB's curve, and its linear part: a, b, c, d of the parametric type 3.
    private static let curve: [Int32] = [157_286, 62_119, 3417, 5072, 2651]

    private var bytes: Data {
        let numbers = { (kind: String, values: [Int32]) in Data(kind.utf8) + Data(count: 4) + Self.bigEndian(values) }
        let parts: [(names: [String], content: Data)] = [
            (["desc"], Self.text(name)), (["cprt"], Self.text("CC0")), (["wtpt"], numbers("XYZ ", Self.white)),
            (["chad"], numbers("sf32", Self.adaptation)), (["rXYZ"], numbers("XYZ ", primaries[0])),
            (["gXYZ"], numbers("XYZ ", primaries[1])), (["bXYZ"], numbers("XYZ ", primaries[2])),
            (["rTRC", "gTRC", "bTRC"], Self.curveTag),
        ]
        let count = parts.reduce(0) { $0 + $1.names.count }
        var (table, content) = (Self.bigEndian([Int32(count)]), Data())
        for (names, part) in parts {
            let start = 128 + 4 + 12 * count + content.count
            for name in names { table += Data(name.utf8) + Self.bigEndian([Int32(start), Int32(part.count)]) }
            content += part + Data(count: -part.count & 3)
        }
        return Self.header(size: 128 + table.count + content.count) + table + content
    }

    /// The content of a tag with sRGB's curve.
    static var curveTag: Data { Data("para".utf8) + Data([0, 0, 0, 0, 0, 3, 0, 0]) + bigEndian(curve) }

    /// Returns the header: version 4.4, a profile of displays, RGB to XYZ, of 1 January 2000, with the perceptual intent.
    private static func header(size: Int) -> Data {
        var header = bigEndian([Int32(size), 0, 0x0440_0000]) + Data("mntrRGB XYZ ".utf8)
        header += Data([0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]) + Data("acsp".utf8) + Data(count: 28)
        return header + bigEndian(white) + Data(count: 48)
    }

    /// Returns a text in one language.
    private static func text(_ text: String) -> Data {
        let units = Array(text.utf16)
        return Data("mluc".utf8) + bigEndian([0, 1, 12]) + Data("enUS".utf8) + bigEndian([Int32(2 * units.count), 28])
            + Data(units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    }

    private static func bigEndian(_ numbers: [Int32]) -> Data {
        var data = Data()
        for number in numbers { data.appendBigEndian(Int(UInt32(bitPattern: number)), bytes: 4) }
        return data
    }
}
