import CalotypeCodecs
import Foundation
import Requirements
import Testing

/// Decodes every file that begins with its letter to one pixel of its color.
private struct LetterDecoder: ImageDecoder {
    var letter: String
    var color: Pixel

    func header(of data: Data) throws(CodecError) -> ImageHeader? {
        guard data.starts(with: letter.utf8) else { return nil }
        return ImageHeader(format: ImageFormat(rawValue: "letter"), width: 8, height: 4)
    }

    func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int { 128 }

    func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        try Bitmap.drawn(8, 4) { _, _ in color }
    }
}

@Suite struct DecoderRegistryTests {
    @Test(.requirement("B66")) func `the decoder registered last wins`() throws {
        var registry = DecoderRegistry.standard
        registry.register(LetterDecoder(letter: "a", color: .red))
        registry.register(LetterDecoder(letter: "a", color: .green))
        #expect(try registry.plan(for: Data("abc".utf8)).decode()[0, 0] == .green)
    }

    @Test(.requirement("B66")) func `a registration is taken back by its token`() throws {
        var registry = DecoderRegistry.standard
        let first = registry.register(LetterDecoder(letter: "a", color: .red))
        let second = registry.register(LetterDecoder(letter: "a", color: .green))
        registry.unregister(second)
        #expect(try registry.plan(for: Data("abc".utf8)).decode()[0, 0] == .red)
        registry.unregister(second)
        #expect(try registry.plan(for: Data("abc".utf8)).decode()[0, 0] == .red)
        registry.unregister(first)
        #expect(throws: CodecError.self) { try registry.plan(for: Data("abc".utf8)) }
    }

    @Test func `a decoder that says nil leaves the bytes to the next`() throws {
        var registry = DecoderRegistry.standard
        registry.register(LetterDecoder(letter: "a", color: .red))
        let file = try Pictures.quarters(16, 16).encoded(as: .png)
        #expect(try registry.header(of: file).format == .png)
    }

    @Test func `a decoder of the user's may stand in for one that is built in`() throws {
        var registry = DecoderRegistry.standard
        registry.register(LetterDecoder(letter: "GIF89a", color: .blue))
        #expect(try registry.plan(for: Data("GIF89a".utf8)).decode()[0, 0] == .blue)
    }

    @Test func `a copy of a registry goes its own way`() throws {
        var copy = DecoderRegistry.standard
        copy.register(LetterDecoder(letter: "a", color: .red))
        #expect(throws: CodecError.self) { try DecoderRegistry.standard.plan(for: Data("abc".utf8)) }
    }

    @Test func `what a decoder leaves larger is scaled to the size planned`() throws {
        let registry = DecoderRegistry([LetterDecoder(letter: "a", color: .red)])
        let plan = try registry.plan(for: Data("abc".utf8), target: ResizeTarget(width: 4))
        #expect(plan.outputSize == PixelSize(width: 4, height: 2))
        #expect(plan.cost == 128 + 4 * 2 * 4)
        let bitmap = try plan.decode()
        #expect(bitmap.width == 4 && bitmap.height == 2 && bitmap[3, 1] == .red)
    }

    @Test func `the bytes decide, whatever the file is called`() throws {
        let bitmap = try Pictures.quarters(16, 16)
        for (encoding, format) in [
            (EncodingFormat.jpeg(), ImageFormat.jpeg), (.png, .png), (.webp(), .webp), (.webpLossless, .webp),
        ] {
            let header = try DecoderRegistry.standard.header(of: bitmap.encoded(as: encoding))
            #expect(header.format == format && encoding.imageFormat == format)
            #expect(header.width == 16 && header.height == 16 && header.frameCount == 1)
        }
    }
}
