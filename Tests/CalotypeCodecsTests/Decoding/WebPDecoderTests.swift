import CalotypeCodecs
import Foundation
import Requirements
import Testing

@Suite struct WebPDecoderTests {
    @Test func `the hint of a lossless WebP that it is opaque does not decide`() throws {
        let drawn = try Bitmap.drawn(4, 4, hasAlpha: true) { x, _ in x < 2 ? .clear : .red }
        var file = try drawn.encoded(as: .webpLossless)
        if file.range(of: Data("VP8X".utf8)) != nil { file = WebPFiles.riff(WebPFiles.picture(file)) }
        // Behind the signature, 14 bits each of width and height, then the hint (RFC 9649, 3.4).
        let place = try #require(file.range(of: Data("VP8L".utf8))).upperBound + 4 + 4
        #expect(file[place] & 0x10 != 0)
        file[place] &= ~0x10
        #expect(try !DecoderRegistry.standard.header(of: file).hasAlpha)
        let decoded = try file.decoded()
        #expect(decoded.hasAlpha && decoded.pixels[0] == [.clear, .clear, .red, .red])
        let opaque = try Bitmap.drawn(4, 4) { _, _ in .red }.encoded(as: .webpLossless)
        #expect(try !opaque.decoded().hasAlpha)
    }

    @Test func `lossless images come back to the bit`() throws {
        let drawn = try Pictures.noise(33, 21)
        #expect(try drawn.encoded(as: .webpLossless).decoded().worstDistance(to: drawn) == 0)
    }

    @Test func `lossy images come back as they looked`() throws {
        let drawn = try Pictures.gradient(64, 48)
        let decoded = try drawn.encoded(as: .webp(quality: 95)).decoded()
        #expect(try #require(decoded.worstDistance(to: drawn)) <= 24)
        #expect(!decoded.hasAlpha)
    }

    @Test func `transparency comes back premultiplied`() throws {
        let drawn = try Pictures.veil(64, 48)
        let decoded = try drawn.encoded(as: .webpLossless).decoded()
        #expect(decoded.hasAlpha)
        // libwebp rounds premultiplied values in a different way.
        #expect(try #require(decoded.worstDistance(to: drawn)) <= 1)
        #expect(decoded.distinctPixels.allSatisfy { max($0.red, $0.green, $0.blue) <= $0.alpha })
    }

    @Test(arguments: [EncodingFormat.webp(quality: 95), .webpLossless])
    func `the codec shrinks to the size wanted`(format: EncodingFormat) throws {
        let decoded = try Pictures.quarters(400, 300).encoded(as: format).decoded(ResizeTarget(width: 97))
        #expect(decoded.width == 97 && decoded.height == 73)
        for (seen, expected) in zip(decoded.corners, [Pixel.red, .green, .blue, .white]) {
            #expect(seen.isClose(to: expected, within: 12))
        }
    }

    @Test(.requirement("B63"), arguments: [1, 4, 5, 6, 8])
    func `the orientation in an EXIF chunk is applied exactly once`(orientation: Int) throws {
        let file = try WebPFiles.annotated(Pictures.quarters(40, 20), exif: JPEGFiles.tiff(orientation))
        #expect(try file.decoded().corners == JPEGDecoderTests.turned[orientation - 1])
        let small = try file.decoded(ResizeTarget(width: 10, height: 10, mode: .exact))
        #expect(
            zip(small.corners, JPEGDecoderTests.turned[orientation - 1]).allSatisfy { $0.isClose(to: $1, within: 3) })
    }

    @Test func `the header of an animation counts frames and time, and 10 ms stand for 100`() throws {
        let frame = try Pictures.gradient(8, 8)
        var file = try WebPFiles.animation(width: 8, height: 8, [(0, 0, frame), (0, 0, frame), (0, 0, frame)])
        let place = try #require(file.range(of: Data("ANMF".utf8))).lowerBound + 20
        file.replaceSubrange(place..<place + 3, with: [10, 0, 0])
        let header = try DecoderRegistry.standard.header(of: file)
        #expect(header.frameCount == 3 && header.duration == .milliseconds(300))
        file.replaceSubrange(place..<place + 3, with: [0x11, 0x27, 0x01])
        #expect(try DecoderRegistry.standard.header(of: file).duration == .milliseconds(75_537 + 200))
    }

    @Test func `an animation shows its first frame`() throws {
        let file = try WebPFiles.animation(
            width: 40, height: 20, [(0, 0, Pictures.quarters(40, 20)), (0, 0, Pictures.gradient(40, 20))])
        let plan = try DecoderRegistry.standard.plan(for: file)
        #expect(plan.header.frameCount == 2)
        #expect(try plan.decode().corners == [.red, .green, .blue, .white])
        let small = try file.decoded(ResizeTarget(width: 20))
        #expect(zip(small.corners, [.red, .green, .blue, .white]).allSatisfy { $0.isClose(to: $1, within: 3) })
    }

    @Test func `a first frame smaller than its canvas stands on nothing`() throws {
        let dot = try Bitmap.drawn(6, 4) { _, _ in .red }
        let file = try WebPFiles.animation(width: 40, height: 20, [(10, 8, dot), (0, 0, Pictures.gradient(40, 20))])
        let decoded = try file.decoded()
        #expect(decoded.width == 40 && decoded.height == 20 && decoded.hasAlpha)
        #expect(decoded[9, 8] == .clear && decoded[10, 7] == .clear && decoded[16, 11] == .clear)
        #expect(decoded[10, 8] == .red && decoded[15, 11] == .red)
    }
}
