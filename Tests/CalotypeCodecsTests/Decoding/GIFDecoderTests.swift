import CalotypeCodecs
import Foundation
import Testing

@Suite struct GIFDecoderTests {
    private let palette: [(red: UInt8, green: UInt8, blue: UInt8)] = [
        (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255),
    ]

    @Test(arguments: [false, true])
    func `colors and rows come back as they were, interlaced too`(isInterlaced: Bool) throws {
        let indices = (0..<391).map { (place: Int) -> UInt8 in UInt8(place * 7 / 3 % 4) }
        let frame = GIFFile.Frame(width: 23, height: 17, isInterlaced: isInterlaced, indices: indices)
        let decoded = try GIFFile(width: 23, height: 17, palette: palette, frames: [frame]).encoded().decoded()
        let expected = try Bitmap.drawn(23, 17) { x, y in
            let color = palette[Int(indices[y * 23 + x])]
            return Pixel(color.blue, color.green, color.red)
        }
        #expect(!decoded.hasAlpha)
        #expect(decoded.worstDistance(to: expected) == 0)
    }

    @Test func `one color may stand for transparent`() throws {
        let frame = GIFFile.Frame(width: 2, height: 1, transparentIndex: 2, indices: [2, 0])
        let decoded = try GIFFile(width: 2, height: 1, palette: palette, frames: [frame]).encoded().decoded()
        #expect(decoded.hasAlpha)
        #expect(decoded.pixels == [[.clear, .red]])
    }

    @Test func `an animation shows its first frame, on its canvas`() throws {
        let frames = [
            GIFFile.Frame(x: 1, y: 2, width: 2, height: 1, indices: [0, 1]),
            GIFFile.Frame(width: 4, height: 4, indices: [UInt8](repeating: 3, count: 16)),
            GIFFile.Frame(width: 4, height: 4, indices: [UInt8](repeating: 2, count: 16)),
        ]
        let plan = try DecoderRegistry.standard.plan(
            for: GIFFile(width: 4, height: 4, palette: palette, frames: frames).encoded())
        #expect(plan.header.isAnimated && plan.header.frameCount == nil && plan.header.hasAlpha)
        let decoded = try plan.decode()
        #expect(decoded.pixels[2] == [.clear, .red, .green, .clear])
        #expect(decoded.pixels[0].allSatisfy { $0 == .clear })
    }

    @Test func `a canvas too small for its first frame grows to it`() throws {
        let frame = GIFFile.Frame(width: 3, height: 2, indices: [0, 1, 2, 2, 1, 0])
        let decoded = try GIFFile(width: 1, height: 1, palette: palette, frames: [frame]).encoded().decoded()
        #expect(decoded.width == 3 && decoded.height == 2)
        #expect(decoded.pixels[0] == [.red, .green, .blue])
    }

    @Test func `junk behind the trailer does no harm`() throws {
        let palette: [(red: UInt8, green: UInt8, blue: UInt8)] = [(9, 9, 9), (200, 9, 9)]
        let frame = GIFFile.Frame(width: 4, height: 4, indices: [UInt8](repeating: 1, count: 16))
        let file = try GIFFile(width: 4, height: 4, palette: palette, frames: [frame]).encoded()
        #expect(file.last == 0x3B)
        for junk in [Data([0, 0]), Data("<!-- served by -->".utf8), file] {
            #expect(try (file + junk).decoded().distinctPixels == [Pixel(9, 9, 200)])
            #expect(try DecoderRegistry.standard.header(of: file + junk).frameCount == 1)
        }
    }

    @Test func `a GIF's header sums up its durations`() throws {
        let palette: [(red: UInt8, green: UInt8, blue: UInt8)] = [(9, 9, 9), (200, 9, 9)]
        let frame = GIFFile.Frame(
            width: 2, height: 2, transparentIndex: 0, indices: [UInt8](repeating: 1, count: 4))
        var file = try GIFFile(width: 2, height: 2, palette: palette, frames: [frame, frame]).encoded()
        #expect(try DecoderRegistry.standard.header(of: file).duration == .milliseconds(200))
        let place = try #require(file.range(of: Data([0x21, 0xF9, 4]))).upperBound
        file.replaceSubrange(place + 1..<place + 3, with: [250, 0])
        #expect(try DecoderRegistry.standard.header(of: file).duration == .milliseconds(2600))
    }

    @Test func `a GIF of no frames is damaged, and the error says so`() throws {
        let file = try GIFFile(width: 100, height: 80, palette: palette, frames: []).encoded()
        let error = #expect(throws: CodecError.self) { try file.decoded() }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("0 frames") == true)
    }

    @Test func `junk behind the trailer changes nothing`() throws {
        let frame = GIFFile.Frame(width: 4, height: 2, indices: [0, 1, 0, 1, 1, 0, 1, 0])
        let file = try GIFFile(width: 4, height: 2, palette: [(9, 9, 9), (255, 0, 0)], frames: [frame]).encoded()
        let whole = try file.decoded()
        for junk in [Data([0]), Data(repeating: 0x2C, count: 99), Data("<html>".utf8), file] {
            let header = try DecoderRegistry.standard.header(of: file + junk)
            #expect(header.frameCount == 1)
            #expect(try (file + junk).decoded().worstDistance(to: whole) == 0)
        }
    }
}
