import CalotypeCodecs
import Foundation
import Testing

enum QOIFiles {
    /// Writes every pixel as its four values, which any QOI file may do.
    static func make(_ bitmap: Bitmap) -> Data {
        let size = Data().bigEndian(bitmap.width, bytes: 4).bigEndian(bitmap.height, bytes: 4)
        let content = bitmap.pixels.joined().flatMap { [0xFF, $0.red, $0.green, $0.blue, $0.alpha] as [UInt8] }
        return Data("qoif".utf8) + size + Data([4, 0] + content + [0, 0, 0, 0, 0, 0, 0, 1])
    }
}

@Suite struct QOIDecoderTests {
    private static let end: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]

    private func file(
        _ width: Int, _ height: Int, channels: UInt8 = 4, space: UInt8 = 0, _ content: [UInt8], end: [UInt8] = end
    ) -> Data {
        let size = Data().bigEndian(width, bytes: 4).bigEndian(height, bytes: 4)
        return Data("qoif".utf8) + size + Data([channels, space]) + Data(content) + Data(end)
    }

    @Test func `every kind of chunk gives its pixel`() throws {
        let place = (10 * 3 + 20 * 5 + 30 * 7 + 255 * 11) % 64
        let content: [UInt8] = [
            0xFE, 10, 20, 30,  // A color, opaque as the start is.
            0b0111_0100,  // 1 more, 1 less, 2 less.
            0b1010_0101, 0b1001_0110,  // Green 5 more, red 1 more than that, blue 2 less.
            0xFF, 200, 100, 50, 128,  // All four.
            0b1100_0001,  // Twice again.
            UInt8(place),  // The first.
        ]
        let seen = try file(7, 1, content).decoded()
        let veil = Pixel(50, 100, 200).premultiplied(128)
        #expect(
            seen.pixels == [
                [Pixel(30, 20, 10), Pixel(28, 19, 11), Pixel(31, 24, 17), veil, veil, veil, Pixel(30, 20, 10)]
            ])
        #expect(seen.hasAlpha)
    }

    @Test func `channels wrap around, and runs go on in the next row`() throws {
        // 0 less 2, 1 and 2; then five again.
        let seen = try file(3, 2, channels: 3, [0b0100_0100, 0b1100_0100]).decoded()
        #expect(seen.distinctPixels == [Pixel(254, 255, 254)])
        #expect(!seen.hasAlpha)
    }

    @Test func `a pixel not seen yet is transparent black, and black in a file without alpha`() throws {
        #expect(try file(1, 1, [0x07]).decoded()[0, 0] == .clear)
        #expect(try file(1, 1, channels: 3, [0x07]).decoded()[0, 0] == .black)
    }

    @Test func `linear light becomes sRGB`() throws {
        let seen = try file(1, 1, channels: 3, space: 1, [0xFE, 128, 128, 128]).decoded()[0, 0]
        #expect(seen.isClose(to: .gray(188), within: 1))
    }

    @Test func `a thumbnail is that of the whole image`() throws {
        var content: [UInt8] = []
        for pixel in try Pictures.veil(90, 60).pixels.joined() {
            content += [0xFF, pixel.red, pixel.green, pixel.blue, pixel.alpha]
        }
        let file = file(90, 60, content)
        let whole = try file.decoded()
        let expected = try whole.scaled(to: PixelSize(width: 25, height: 17))
        #expect(try file.decoded(ResizeTarget(width: 25, height: 17, mode: .exact)).worstDistance(to: expected) == 0)
        #expect(
            try DecoderRegistry.standard.plan(for: file, target: ResizeTarget(width: 9)).cost < whole.byteCount)
    }

    @Test func `files that are cut short, that go on, or that lie are damaged`() throws {
        let whole = file(2, 2, [0xFE, 1, 2, 3, 0b1100_0010])
        #expect(try whole.decoded().width == 2)
        var files = (14..<whole.count).map { whole.prefix($0) }
        files += [
            file(2, 2, [0xFE, 1, 2, 3, 0b1100_0011]), file(2, 2, [0xFE, 1, 2, 3, 0b1100_0010, 0]),
            file(2, 2, channels: 5, [0xFE, 1, 2, 3, 0b1100_0010]), file(2, 2, space: 2, [0xFE, 1, 2, 3, 0b1100_0010]),
            file(0, 2, []), file(2, 2, [0xFE, 1, 2, 3, 0b1100_0010], end: []),
        ]
        for file in files {
            let error = #expect(throws: CodecError.self) { try file.decoded() }
            #expect(error?.code == .damaged)
        }
    }

    @Test func `a header that announces too much is refused by its numbers`() throws {
        let error = #expect(throws: CodecError.self) { try file(60_000, 60_000, []).decoded() }
        #expect(error?.code == .tooLarge)
    }
}
