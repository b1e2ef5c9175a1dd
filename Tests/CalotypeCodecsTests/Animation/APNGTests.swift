import CSpng
@testable import CalotypeCodecs
import Foundation
import Testing

@Suite struct APNGTests {
    private static let size = PixelSize(width: 40, height: 30)

    /// A frame that stays, one that blends, one that replaces and is cleared, one that is reverted, and a last one.
    private static func file(hidden: Bitmap? = nil, loopCount: Int = 0) throws -> APNGFile {
        let (red, blue) = (try plain(20, 10, .red), try plain(12, 12, .blue))
        return APNGFile(
            width: size.width, height: size.height, loopCount: loopCount, hidden: hidden,
            frames: [
                .init(bitmap: try Pictures.gradient(40, 30), delay: (4, 100)),
                .init(x: 5, y: 5, bitmap: try Pictures.veil(20, 10), delay: (1, 4), blend: 1),
                .init(x: 7, y: 9, bitmap: red, delay: (0, 100), disposal: 1),
                .init(x: 20, y: 2, bitmap: blue, delay: (30, 0), disposal: 2, blend: 1),
                .init(x: 1, y: 1, bitmap: blue, blend: 1),
            ])
    }

    private static func plain(_ width: Int, _ height: Int, _ pixel: Pixel) throws -> Bitmap {
        try Bitmap.drawn(width, height) { _, _ in pixel }
    }

    @Test func `frames stay, blend, are cleared or taken back as their control chunks say`() throws {
        let animation = try #require(try DecoderRegistry.standard.animation(for: Self.file(loopCount: 2).encoded()))
        #expect(animation.frameCount == 5 && animation.loopCount == 2 && animation.size == Self.size)
        #expect(animation.durations == [40, 250, 100, 300, 100].map { .milliseconds($0) })
        let base = try Pictures.gradient(40, 30)
        #expect(try animation.frame(at: 0).worstDistance(to: base) == 0)

        let veil = try Pictures.veil(20, 10)
        let second = try animation.frame(at: 1)
        for (x, y) in [(5, 5), (15, 8), (24, 14)] {
            let (over, under) = (veil[x - 5, y - 5], base[x, y])
            let red = Int(over.red) + Int(under.red) * (255 - Int(over.alpha)) / 255
            #expect(abs(Int(second[x, y].red) - red) <= 1 && second[x, y].alpha == 255)
        }
        #expect(second[39, 29] == base[39, 29])

        #expect(try animation.frame(at: 2)[8, 10] == .red)
        let fourth = try animation.frame(at: 3)
        #expect(fourth[8, 10].alpha == 0 && fourth[21, 3] == .blue && fourth[5, 5] == second[5, 5])
        let last = try animation.frame(at: 4)
        #expect(last[21, 3] == second[21, 3] && last[2, 2] == .blue && last[8, 10] == .blue)
        #expect(last[26, 18].alpha == 0)
    }

    @Test func `the header counts frames and time, and the still image is the first frame`() throws {
        let file = try Self.file().encoded()
        let header = try DecoderRegistry.standard.header(of: file)
        #expect(header.format == .png && header.frameCount == 5 && header.duration == .milliseconds(790))
        #expect(try file.decoded().worstDistance(to: Pictures.gradient(40, 30)) == 0)
    }

    @Test func `a default image that is not part of the animation is not its first frame`() throws {
        var file = try Self.file(hidden: Self.plain(40, 30, .green))
        file.frames[0] = .init(x: 10, y: 10, bitmap: try Self.plain(8, 8, .red))
        let data = try file.encoded()
        let animation = try #require(try DecoderRegistry.standard.animation(for: data))
        #expect(animation.frameCount == 5)
        let still = try data.decoded()
        #expect(try still.worstDistance(to: animation.frame(at: 0)) == 0)
        #expect(still[12, 12] == .red && still[2, 2].alpha == 0)
        #expect(try data.decoded(ResizeTarget(width: 20)).size == PixelSize(width: 20, height: 15))
    }

    @Test func `an animation of one frame is that frame, and not the default image in front of it`() throws {
        let file = try APNGFile(
            width: 40, height: 30, hidden: Self.plain(40, 30, .green),
            frames: [.init(x: 10, y: 10, bitmap: Self.plain(8, 8, .red))]
        ).encoded()
        let header = try DecoderRegistry.standard.header(of: file)
        #expect(header.frameCount == 1 && header.hasAlpha)
        let still = try file.decoded()
        #expect(still[12, 12] == .red && still[2, 2].alpha == 0)
        #expect(try file.decoded(ResizeTarget(width: 20)).size == PixelSize(width: 20, height: 15))
        #expect(try DecoderRegistry.standard.plan(for: file).cost >= 2 * still.byteCount)
        #expect(try DecoderRegistry.standard.animation(for: file) == nil)
    }

    @Test func `a profile holds for every frame, and no frame inflates it again`() throws {
        let annotated = try PNGFile(
            width: 1, height: 1, colorType: SPNG_COLOR_TYPE_TRUECOLOR, profile: Profiles.swapped()
        ).encoded([0, 0, 0])
        let place = try #require(annotated.range(of: Data("iCCP".utf8)))
        let length = annotated[place.lowerBound - 4..<place.lowerBound].reduce(0) { $0 << 8 | Int($1) }
        let profile = annotated[place.upperBound..<place.upperBound + length]
        let red = try Self.plain(20, 20, .red)
        let file = try APNGFile(width: 20, height: 20, frames: [.init(bitmap: red), .init(bitmap: red, blend: 1)])
            .encoded().addingPNGChunks([("iCCP", profile)])
        let animation = try #require(try DecoderRegistry.standard.animation(for: file))
        for index in 0..<2 { #expect(try animation.frame(at: index)[9, 9].green > 200) }
        let index = file.reading { APNGFrameIndex(ByteReader($0), canvas: PixelSize(width: 20, height: 20)) }
        #expect(index.frames.count == 2 && index.shared.isEmpty)
    }

    @Test func `an animation of another number of frames than announced has those that are there`() throws {
        for announced in [0, 1, 99, 0x7FFF_FFFF] {
            var file = try Self.file()
            file.announced = announced
            #expect(try DecoderRegistry.standard.header(of: file.encoded()).frameCount == 5)
        }
    }

    @Test func `frames of nothing, or outside of the canvas, end the animation before them`() throws {
        let file = try Self.file().encoded()
        let second = try #require(file.ranges(of: Data("fcTL".utf8)).dropFirst().first).upperBound
        for (offset, value) in [(4, 0), (8, 0), (12, 39), (16, 0xFFFF_FFFF), (4, 41)] {
            var broken = file
            broken.replaceSubrange(second + offset..<second + offset + 4, with: Data().bigEndian(value, bytes: 4))
            #expect(try DecoderRegistry.standard.header(of: broken).frameCount == 1)
            #expect(try DecoderRegistry.standard.animation(for: broken) == nil)
            #expect(try broken.decoded().worstDistance(to: Pictures.gradient(40, 30)) == 0)
        }
    }

    @Test func `a file that is cut short has the frames that are whole`() throws {
        let file = try Self.file().encoded()
        let last = try #require(file.ranges(of: Data("fcTL".utf8)).last).lowerBound
        let animation = try #require(try DecoderRegistry.standard.animation(for: file.prefix(last + 60)))
        #expect(animation.frameCount == 4)
        #expect(try animation.frame(at: 3)[21, 3] == .blue)
    }

    @Test func `a frame whose pixels are damaged is an error of its own`() throws {
        var file = try Self.file().encoded()
        let place = try #require(file.ranges(of: Data("fdAT".utf8)).dropFirst(3).first).upperBound
        for index in 4..<9 { file[place + index] ^= 0xFF }
        let animation = try #require(try DecoderRegistry.standard.animation(for: file))
        #expect(try animation.frame(at: 1).size == Self.size)
        let error = #expect(throws: CodecError.self) { try animation.frame(at: 2) }
        #expect(error?.code == .damaged)
    }

    @Test func `a bomb of frames is refused by their number`() throws {
        var limits = DecodeLimits()
        limits.maxFrames = 4
        let file = try Self.file().encoded()
        let error = #expect(throws: CodecError.self) {
            try DecoderRegistry.standard.animation(for: file, limits: limits)
        }
        #expect(error?.code == .tooLarge)
        #expect(try file.decoded(limits: limits).size == Self.size)
        limits.maxFrames = .max
        #expect(try DecoderRegistry.standard.animation(for: file, limits: limits) != nil)
    }
}

@Suite struct AVIFAnimationTests {
    @Test func `frames come in any order, with their times`() throws {
        let drawn = try [Pictures.gradient(48, 32), Pictures.quarters(48, 32), Pictures.gradient(48, 32)]
        let file = try AVIFFile(durations: [100, 250, 400]).encoded(drawn)
        let animation = try #require(try DecoderRegistry.standard.animation(for: file))
        #expect(animation.durations == [100, 250, 400].map { .milliseconds($0) } && animation.loopCount == nil)
        for index in [0, 1, 2, 1, 0, 2] {
            #expect(try #require(animation.frame(at: index).worstDistance(to: drawn[index])) <= 16, "\(index)")
        }
    }

    @Test func `irot and a profile hold for every frame`() throws {
        let drawn = try [Pictures.quarters(40, 24), Pictures.quarters(40, 24)]
        let file = try AVIFFile(angle: 1, durations: [100, 100]).encoded(drawn)
        let animation = try #require(try DecoderRegistry.standard.animation(for: file))
        let expected = try drawn[0].applying(.rotate(quarterTurns: -1))
        for index in 0..<2 { #expect(try #require(animation.frame(at: index).worstDistance(to: expected)) <= 12) }
    }

    @Test func `a still image is no animation`() throws {
        #expect(try DecoderRegistry.standard.animation(for: Pictures.veil(9, 9).encoded(as: .avif())) == nil)
    }
}
