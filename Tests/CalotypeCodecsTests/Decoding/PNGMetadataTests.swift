import CSpng
import CalotypeCodecs
import Foundation
import Testing

/// More chunks in front of an image than libspng keeps.
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
}
