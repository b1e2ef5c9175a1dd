import CSpng
import CalotypeCodecs
import Foundation
import Testing

/// More chunks in front of an image, or behind it, than libspng keeps.
@Suite struct PNGMetadataTests {
    private static let drawn: [UInt8] = [255, 0, 0, 0, 0, 255]

    private static func file(profile: Data? = nil) throws -> Data {
        try PNGFile(width: 2, height: 1, colorType: SPNG_COLOR_TYPE_TRUECOLOR, profile: profile).encoded(drawn)
    }

    private static func check(_ file: Data) throws {
        let header = try DecoderRegistry.standard.header(of: file)
        #expect(header.uprightSize == PixelSize(width: 2, height: 1))
        #expect(try file.decoded().pixels == [[.red, .blue]])
        let error = #expect(throws: CodecError.self) { try file.dropLast(20).decoded() }
        #expect(error?.code == .damaged)
    }

    /// Leaves the checksum at zero, because that of 17 MB takes long to compute.
    private static func adding(_ name: String, bytes: Int, to file: Data) -> Data {
        let head = 8 + 25
        return file.prefix(head) + Data().bigEndian(bytes, bytes: 4) + Data(name.utf8) + Data(count: bytes + 4)
            + file.dropFirst(head)
    }

    @Test(arguments: ["tEXt", "zTXt", "iTXt", "sPLT", "eXIf"])
    func `a chunk of 17 MB that nobody asked for does not hide the image`(name: String) throws {
        try Self.check(Self.adding(name, bytes: 17 << 20, to: Self.file()))
    }

    @Test func `nor do more texts than libspng counts`() throws {
        let text = Data("Comment\0Nothing".utf8)
        try Self.check(Self.file().addingPNGChunks((0..<1100).map { _ in ("tEXt", text) }))
    }

    @Test func `nor does a profile that is larger than any, with texts beside it or without`() throws {
        let file = try Self.file(profile: Data(count: 17 << 20))
        try Self.check(file)
        try Self.check(Self.adding("tEXt", bytes: 17 << 20, to: file))
    }

    @Test func `a profile beside too much text still counts`() throws {
        let file = Self.adding("tEXt", bytes: 17 << 20, to: try Self.file(profile: Profiles.swapped()))
        #expect(try file.decoded()[0, 0].green > 200)
    }

    // MARK: Behind the pixels

    private static let kinds = [(8, false), (8, true), (16, false), (16, true)] as [(UInt8, Bool)]

    private static func file(bits: UInt8, isInterlaced: Bool) throws -> Data {
        try PNGFile(
            width: 2, height: 1, colorType: SPNG_COLOR_TYPE_TRUECOLOR, bitDepth: bits, isInterlaced: isInterlaced
        ).encoded(bits == 8 ? drawn : drawn.flatMap { [$0, $0] })
    }

    private static func adding(_ chunks: Data, behind file: Data) -> Data {
        file.dropLast(12) + chunks + file.suffix(12)
    }

    @Test(arguments: ["tEXt", "zTXt", "iTXt", "sPLT", "eXIf"], kinds)
    func `a chunk of 17 MB behind the pixels does not hide the image either`(
        name: String, kind: (bits: UInt8, isInterlaced: Bool)
    ) throws {
        let chunk = Data().bigEndian(17 << 20, bytes: 4) + Data(name.utf8) + Data(count: 17 << 20 + 4)
        let file = Self.adding(chunk, behind: try Self.file(bits: kind.bits, isInterlaced: kind.isInterlaced))
        #expect(try file.decoded().pixels == [[.red, .blue]])
    }

    @Test(arguments: kinds)
    func `nor do many texts among chunks that libspng does not know`(
        kind: (bits: UInt8, isInterlaced: Bool)
    ) throws {
        // An empty chunk after each, so that what libspng reads is in as many pieces.
        let pair = PNGFile.chunk("tEXt", Data("k\0v".utf8)) + PNGFile.chunk("aaAa", Data())
        let chunks = Data((0..<20_000).flatMap { _ in pair })
        let file = try Self.file(bits: kind.bits, isInterlaced: kind.isInterlaced)
        #expect(try Self.adding(chunks, behind: file).decoded().pixels == [[.red, .blue]])
        let inFront = file.prefix(33) + chunks + file.dropFirst(33)
        #expect(try inFront.decoded().pixels == [[.red, .blue]])
    }
}
