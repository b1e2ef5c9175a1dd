import CalotypeCodecs
import Foundation
import Testing

@Suite struct PNMTests {
    private func file(_ head: String, _ content: [UInt8] = []) -> Data { Data(head.utf8) + content }

    /// A header, its samples, and the pixels of the row.
    static let rows: [(head: String, samples: [UInt8], pixels: [Pixel])] = [
        ("P1 5 1\n1 0#a comment\n1\t01", [], [.black, .white, .black, .white, .black]),
        ("P2 3 1 255\n0 77\n255", [], [.black, .gray(77), .white]), ("P2 2 1 3 1 2", [], [.gray(85), .gray(170)]),
        ("P2 2 1 65535 32768 300", [], [.gray(128), .gray(1)]), ("P3 1 1 255 1 2 3", [], [Pixel(3, 2, 1)]),
        ("P3 1 1 15 15 0 5", [], [Pixel(85, 0, 255)]),
        ("P2 3 1 100 101 4000000000 50", [], [.white, .white, .gray(128)]),
        (
            "P4 10 1\n", [0b0101_0101, 0b1011_1111],
            Array(repeating: [.white, .black], count: 4).flatMap { $0 } + [.black, .white]
        ),
        ("P5#c\n2 1\r255\n", [9, 200], [.gray(9), .gray(200)]), ("P5 2 1 1\n", [0, 1], [.black, .white]),
        ("P5 2 1 100\n", [50, 200], [.gray(128), .white]),
        ("P5 2 1 65535\n", [0x80, 0, 1, 44], [.gray(128), .gray(1)]),
        ("P5 2 1 256\n", [1, 0, 0, 128], [.white, .gray(128)]), ("P6 1 1 255\n", [1, 2, 3], [Pixel(3, 2, 1)]),
        ("P6 1 1 1023\n", [3, 0xFF, 0, 0, 1, 0], [Pixel(64, 0, 255)]),
        ("P6 3 1 255\n", [1, 2, 3, 4, 5, 6, 7, 8, 9], [Pixel(3, 2, 1), Pixel(6, 5, 4), Pixel(9, 8, 7)]),
    ]

    @Test(arguments: rows.indices)
    func `samples are pixels, whatever their largest value is`(index: Int) throws {
        let (head, samples, pixels) = Self.rows[index]
        let file = file(head, samples)
        let bitmap = try file.decoded()
        #expect(bitmap.pixels == [pixels] && !bitmap.hasAlpha)
        #expect(try DecoderRegistry.standard.header(of: file).format.rawValue == "pnm")
    }

    /// The lines of a PAM, its samples, and its pixel.
    static let tuples: [(lines: String, samples: [UInt8], pixel: Pixel)] = [
        ("DEPTH 1\nMAXVAL 255\nTUPLTYPE GRAYSCALE\n", [9], .gray(9)),
        ("DEPTH 1\nMAXVAL 1\nTUPLTYPE BLACKANDWHITE\n", [1], .white),
        ("DEPTH 3\nMAXVAL 255\n", [1, 2, 3], Pixel(3, 2, 1)),
        (
            "# DEPTH 9\n\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\n", [200, 128],
            Pixel.gray(200).premultiplied(128)
        ),
        ("DEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\n", [200, 100, 50, 128], Pixel(50, 100, 200).premultiplied(128)),
        ("DEPTH 4\nMAXVAL 65535\n", [255, 255, 0, 0, 128, 0, 128, 0], Pixel(64, 0, 128, 128)),
        ("DEPTH 2\nMAXVAL 3\n", [3, 1], Pixel(85, 85, 85, 85)),
    ]

    @Test(arguments: tuples.indices)
    func `a PAM has gray or RGB, with alpha or without`(index: Int) throws {
        let (lines, samples, pixel) = Self.tuples[index]
        let whole = file("P7\nWIDTH 1\nHEIGHT 1\n\(lines)ENDHDR\n", samples)
        let bitmap = try whole.decoded()
        #expect(bitmap[0, 0] == pixel && bitmap.hasAlpha == (pixel.alpha < 255), "\(bitmap[0, 0])")
        for count in 3..<whole.count {
            let error = #expect(throws: CodecError.self) { try whole.prefix(count).decoded() }
            #expect(error?.code == .damaged, "\(count): \(error?.message ?? "")")
        }
    }

    @Test(arguments: ["DEPTH 5\n", "DEPTH 0\n", "DEPTH 3\nTUPLTYPE CMYK\n", "DEPTH 3\nTUPLTYPE RGB_\n"])
    func `a PAM of other tuples is unsupported`(lines: String) throws {
        let file = file("P7\nWIDTH 1\nHEIGHT 1\nMAXVAL 255\n\(lines)ENDHDR\n", [1, 2, 3, 4, 5])
        let error = #expect(throws: CodecError.self) { try file.decoded() }
        #expect(error?.code == .unsupported)
    }

    @Test func `a bitmap as text has its last pixel, and a shorter one is damaged`() throws {
        let file = file("P1 8 4\n10101010010101011010101001010101")
        let bitmap = try file.decoded()
        #expect(bitmap[7, 3] == .black && bitmap[6, 3] == .white)
        let error = #expect(throws: CodecError.self) { try file.dropLast().decoded() }
        #expect(error?.code == .damaged)
    }

    @Test(arguments: [0, 1, 255, 256, 65_535, 65_536, 4_294_967_296])
    func `the largest value is from 1 to 65,535`(largest: Int) throws {
        let file = file("P2 1 1 \(largest)\n1")
        guard (1...65_535).contains(largest) else {
            let error = #expect(throws: CodecError.self) { try file.decoded() }
            #expect(error?.code == .damaged && error?.message.contains("at most 65535") == true)
            return
        }
        #expect(try file.decoded()[0, 0] == .gray(UInt8((255 + largest / 2) / largest)))
    }

    @Test(arguments: 1...6)
    func `a header without one of its numbers is damaged`(kind: Int) throws {
        for numbers in ["", "4", "4 ", "a b c", "4 4 #", "-4 4 4"] where kind % 3 != 1 || numbers != "4 4 #" {
            let error = #expect(throws: CodecError.self) { try file("P\(kind) \(numbers)").decoded() }
            #expect(error?.code == .damaged, "\(numbers)")
        }
    }

    @Test func `text that is no number is damaged`() throws {
        for text in ["P2 2 1 255 1 x", "P1 2 1 1 2", "P3 1 1 255 1 2 -3"] {
            let error = #expect(throws: CodecError.self) { try file(text).decoded() }
            #expect(error?.code == .damaged)
        }
    }
}
