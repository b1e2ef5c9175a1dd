import CalotypeCodecs
import Foundation
import Testing

/// Run lengths of 8 and 4 bits.
@Suite struct BMPRunTests {
    private static let colors: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
    private static let letters: [Character: Pixel] = ["r": .red, "g": .green, "b": .blue, "w": .white, "-": .black]

    /// Returns a file whose rows are in the order of the runs, from the bottom.
    private static func file(_ width: Int, _ height: Int, bits: Int = 8, _ runs: [UInt8]) -> Data {
        SampleBMP(width: width, height: height, depth: bits, compression: bits == 8 ? 1 : 2, colors: colors)
            .encoded(content: Data(runs))
    }

    /// Returns the rows from the top, a letter for each pixel.
    private static func rows(_ file: Data) throws -> [String] {
        try file.decoded().pixels.map { row in
            String(row.map { pixel in letters.first { $0.value == pixel }?.key ?? "?" })
        }
    }

    @Test func `runs and literals of 8 bits are pixels, from the bottom row up`() throws {
        let file = Self.file(5, 3, [5, 3, 0, 0, 0, 5, 0, 1, 2, 3, 0, 0xAA, 0, 0, 2, 1, 3, 2, 0, 1])
        #expect(try Self.rows(file) == ["ggbbb", "rgbwr", "wwwww"])
        #expect(try !file.decoded().hasAlpha)
    }

    @Test func `two colors take turns in runs of 4 bits, and literals are padded`() throws {
        let file = Self.file(5, 2, bits: 4, [5, 0x12, 0, 0, 0, 5, 0x01, 0x23, 0x10, 0xAA, 0, 1])
        #expect(try Self.rows(file) == ["rgbwg", "gbgbg"])
    }

    @Test func `pixels that runs skip are black, as in browsers`() throws {
        let jump = Self.file(4, 3, [1, 1, 0, 2, 2, 0, 1, 2, 0, 2, 0, 1, 0, 0, 4, 3, 0, 1])
        #expect(try Self.rows(jump) == ["wwww", "----", "g--b"])
        let down = Self.file(4, 3, [1, 1, 0, 2, 1, 2, 2, 2, 0, 1])
        #expect(try Self.rows(down) == ["--bb", "----", "g---"])
    }

    @Test func `runs behind the end of a row are ignored`() throws {
        for bits in [4, 8] {
            let literals: [UInt8] = bits == 8 ? [0, 4, 0, 1, 2, 3] : [0, 4, 0x01, 0x23]
            let runs = [2, 0, 9, bits == 8 ? 1 : 0x11, 9, 2, 0, 0] + literals + [0, 1]
            #expect(try Self.rows(Self.file(3, 2, bits: bits, runs)) == ["rgb", "rrg"])
        }
    }

    @Test func `rows from the top come in their order`() throws {
        let file = SampleBMP(width: 2, height: 2, depth: 8, compression: 1, colors: Self.colors, isTopDown: true)
        #expect(try Self.rows(file.encoded(content: Data([2, 1, 0, 0, 2, 2, 0, 1]))) == ["gg", "bb"])
    }

    @Test func `the mark of the end may be missing behind the last pixel`() throws {
        #expect(try Self.rows(Self.file(2, 2, [2, 1, 0, 0, 2, 2])) == ["bb", "gg"])
        #expect(try Self.rows(Self.file(2, 2, [2, 1, 0, 0, 2, 2, 0, 0])) == ["bb", "gg"])
        // The byte that pads literals, too.
        #expect(try Self.rows(Self.file(3, 1, [0, 3, 1, 2, 3])) == ["gbw"])
    }

    @Test func `runs that end before the last row are damaged, also by their mark`() throws {
        let whole: [UInt8] = [0, 3, 1, 2, 3, 0, 0, 0, 0, 2, 0, 1, 3, 1]
        for count in 0..<whole.count {
            let error = #expect(throws: CodecError.self) { try Self.file(3, 3, Array(whole.prefix(count))).decoded() }
            #expect(error?.code == .damaged, "\(count): \(error?.message ?? "")")
        }
        #expect(try Self.rows(Self.file(3, 3, whole)) == ["ggg", "---", "gbw"])
        let error = #expect(throws: CodecError.self) { try Self.file(3, 3, [3, 1, 0, 0, 3, 1, 0, 1]).decoded() }
        #expect(error?.code == .damaged && error?.message.contains("end before the last row") == true)
    }

    @Test func `a few bytes that jump over many rows cost no more than the limits permit`() throws {
        let jumps = [UInt8](repeating: 0, count: 0) + (0..<79).flatMap { _ in [0, 2, 0, 255] as [UInt8] } + [0, 1]
        let file = Self.file(4000, 20_000, jumps)
        let plan = try DecoderRegistry.standard.plan(for: file, target: ResizeTarget(width: 4, height: 4))
        #expect(plan.cost < 2_000_000)
        #expect(try plan.decode().distinctPixels == [.black])
        var limits = DecodeLimits()
        limits.maxPixels = 79_999_999
        let error = #expect(throws: CodecError.self) { try file.decoded(limits: limits) }
        #expect(error?.code == .tooLarge)
    }
}
