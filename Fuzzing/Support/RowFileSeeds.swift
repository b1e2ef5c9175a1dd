import Foundation

/// Small BMP, ICO, TGA and PNM files of every coding.
enum RowFileSeeds {
    static var all: [Data] { bmp + ico + tga + pnm }

    private static let palette: [UInt8] = [0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0]

    private static func little(_ numbers: (value: Int, bytes: Int)...) -> [UInt8] {
        numbers.flatMap { number in
            (0..<number.bytes).map { UInt8(truncatingIfNeeded: number.value >> (8 * $0)) }
        }
    }

    /// Returns the header of a bitmap of 3 × 2 pixels. One of more than 40 bytes has masks of 8 bits, with alpha.
    private static func head(_ depth: Int, _ compression: Int = 0, length: Int = 40, height: Int = 2) -> [UInt8] {
        guard length > 12 else { return little((12, 4), (3, 2), (height, 2), (1, 2), (depth, 2)) }
        let head = little(
            (length, 4), (3, 4), (height, 4), (1, 2), (depth, 2), (compression, 4), (0, 4), (0, 4), (0, 4))
        let colors = little((depth > 8 ? 0 : 4, 4), (0, 4))
        let masks = little((0xFF0000, 4), (0xFF00, 4), (0xFF, 4), (0xFF00_0000, 4))
        return Array((head + colors + masks + [UInt8](repeating: 0, count: 68)).prefix(length))
    }

    private static func file(_ head: [UInt8], _ colors: [UInt8], _ pixels: [UInt8]) -> Data {
        let start = 14 + head.count + colors.count
        return Data(Array("BM".utf8) + little((start + pixels.count, 4), (0, 4), (start, 4)) + head + colors + pixels)
    }

    /// Indices, run lengths with each kind of run, masks, and headers of OS/2 and of Windows.
    private static var bmp: [Data] {
        let bytes = (1...24).map { UInt8($0 * 10) }, shortPalette: [UInt8] = [0, 0, 255, 0, 255, 0]
        let masks = little((0xF800, 4), (0x7E0, 4), (0x1F, 4))
        return [
            file(head(1), palette, Array(bytes.prefix(8))), file(head(2), palette, Array(bytes.prefix(8))),
            file(head(4), palette, [0x12, 0x30, 0, 0, 0x32, 0x10, 0, 0]),
            file(head(8), palette, [0, 1, 2, 0, 3, 2, 1, 0]),
            file(head(8, length: 12), shortPalette, [0, 1, 0, 0, 1, 0, 1, 0]),
            file(head(8, 1), palette, [1, 3, 0, 2, 1, 0, 1, 2, 0, 0, 0, 3, 1, 2, 3, 0, 0, 1]),
            file(head(4, 2), palette, [1, 0x30, 0, 2, 1, 1, 0, 3, 0x12, 0x30, 3, 0x12, 0, 1]),
            file(head(16), [], Array(bytes.prefix(16))), file(head(16, 3), masks, Array(bytes.prefix(16))),
            file(head(24), [], bytes), file(head(32), [], bytes), file(head(32, 3, length: 56), [], bytes),
            file(head(32, 3, length: 124, height: -2), [], bytes),
        ]
    }

    /// Icons of 8 and 32 bits, and a cursor.
    private static var ico: [Data] {
        let indices = head(8, height: 4) + palette + [0, 1, 2, 0, 3, 2, 1, 0] + [0x40, 0, 0, 0, 0x80, 0, 0, 0]
        let colors = head(32, height: 4) + (1...24).map { UInt8($0 * 10) } + [UInt8](repeating: 0, count: 8)
        return [(1, indices), (1, colors), (2, indices)].map { kind, image in
            let directory = little((0, 2), (kind, 2), (1, 2), (3, 1), (2, 1), (0, 2), (1, 2), (8, 2))
            return Data(directory + little((image.count, 4), (22, 4)) + image)
        }
    }

    private static var tga: [Data] {
        func file(_ kind: Int, _ depth: Int, flags: Int = 0, colors: [UInt8] = [], _ pixels: [UInt8]) -> Data {
            let map = little((colors.isEmpty ? 0 : 1, 1), (kind, 1), (0, 2), (colors.count / 4, 2), (32, 1), (0, 4))
            return Data([0] + map + little((3, 2), (2, 2), (depth, 1), (flags, 1)) + colors + pixels)
        }
        let bytes = (1...24).map { UInt8($0 * 10) }
        return [
            file(1, 8, colors: palette, [0, 1, 2, 3, 2, 1]),
            file(9, 8, flags: 0x20, colors: palette, [0x83, 2, 1, 0, 3]),
            file(1, 16, colors: palette, [0, 0, 1, 0, 2, 0, 3, 0, 2, 0, 1, 0]),
            file(2, 16, flags: 1, Array(bytes.prefix(12))),
            file(2, 24, flags: 0x10, Array(bytes.prefix(18))), file(2, 32, flags: 8, bytes),
            file(3, 8, Array(bytes.prefix(6))),
            file(10, 32, flags: 8, [0x84, 1, 2, 3, 128, 0, 4, 5, 6, 7]),
            file(11, 16, [0x02, 1, 2, 3, 4, 5, 6, 0x82, 7, 8]),
        ]
    }

    private static var pnm: [Data] {
        let texts = ["P1 3 2 101010", "P2 3 2 9 0 1 2 3 4 99", "P3 1 1 1023 1 2 1023"]
        let bytes = (1...24).map { UInt8($0 * 10) }
        let binaries: [(String, Int)] = [
            ("P4 3 2\n", 2), ("P5 3 2 255\n", 6), ("P5 3 2 999\n", 12), ("P6 2 2 100\n", 12), ("P6 2 2 65535\n", 24),
            ("P7\nWIDTH 3\nHEIGHT 2\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n", 24),
            ("P7\nWIDTH 2\nHEIGHT 2\nDEPTH 2\nMAXVAL 65535\nENDHDR\n", 16),
        ]
        return texts.map { Data($0.utf8) } + binaries.map { Data($0.0.utf8) + bytes.prefix($0.1) }
    }
}
