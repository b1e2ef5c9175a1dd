import CSpng
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

/// Animations whose colors are beyond sRGB.
@Suite struct FrameGamutTests {
    private static let size = PixelSize(width: 40, height: 30)

    /// A file whose frames are in Display P3, or in sRGB.
    enum Source: CaseIterable {
        case apngWithPoints, apngWithProfile, webp, avifWithPoints, avifWithProfile, deepAVIF

        func file(_ frames: [Bitmap], isWide: Bool = true) throws -> Data {
            var avif = AVIFFile(durations: frames.map { _ in 100 })
            switch self {
            case .apngWithPoints: return try apng(frames, isWide ? [("cICP", Data([12, 13, 0, 1]))] : [])
            case .apngWithProfile: return try apng(frames, isWide ? [("iCCP", Self.compressedProfile())] : [])
            case .webp:
                let parts = frames.enumerated().map { WebPFiles.Frame(x: 4 * $0, y: 2 * $0, bitmap: $1) }
                let profile = try isWide ? Profiles.displayP3() : nil
                return try WebPFiles.animation(width: size.width, height: size.height, profile: profile, parts)
            case .avifWithPoints: avif.primaries = isWide ? 12 : 1
            case .avifWithProfile: avif.profile = try isWide ? Profiles.displayP3() : nil
            case .deepAVIF: (avif.depth, avif.primaries) = (10, isWide ? 12 : 1)
            }
            return try avif.encoded(frames)
        }

        /// Whether a frame may cover a part of the canvas.
        var hasParts: Bool { [.apngWithPoints, .apngWithProfile, .webp].contains(self) }

        private func apng(_ frames: [Bitmap], _ chunks: [(String, Data)]) throws -> Data {
            let parts = frames.enumerated().map { APNGFile.Frame(x: 4 * $0, y: 2 * $0, bitmap: $1, blend: 1) }
            return try APNGFile(width: size.width, height: size.height, frames: parts).encoded()
                .addingPNGChunks(chunks.map { (name: $0.0, content: $0.1) })
        }

        /// The content of an iCCP chunk, as libspng writes it.
        static func compressedProfile() throws -> Data {
            let png = try PNGFile(
                width: 1, height: 1, colorType: SPNG_COLOR_TYPE_TRUECOLOR, profile: Profiles.displayP3()
            ).encoded([0, 0, 0])
            let name = try #require(png.range(of: Data("iCCP".utf8)))
            let count = png[name.lowerBound - 4..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
            return Data(png[name.upperBound..<name.upperBound + count])
        }
    }

    private static func plain(_ width: Int, _ height: Int, _ pixel: Pixel) throws -> Bitmap {
        try Bitmap.drawn(width, height) { _, _ in pixel }
    }

    /// A first frame of strong colors, one that sRGB can show, and a red one that grows transparent where the format has parts.
    private static func frames(_ source: Source) throws -> [Bitmap] {
        guard source.hasParts else {
            return try [Pictures.gradient(40, 30), plain(40, 30, .gray(120)), plain(40, 30, .red)]
        }
        let veil = try Bitmap.drawn(20, 16, hasAlpha: true) { x, _ in Pixel.red.premultiplied(UInt8(12 * x)) }
        return try [Pictures.gradient(40, 30), plain(20, 16, .gray(120)), veil]
    }

    private static func animation(
        _ file: Data, in gamut: ColorGamut, _ decoders: DecoderRegistry = .standard
    ) throws -> AnimatedImage {
        try #require(try decoders.animation(for: file, gamut: gamut))
    }

    // MARK: Frames

    @Test(arguments: Source.allCases)
    func `frames stay in Display P3, and the first one is the still image`(source: Source) throws {
        let frames = try Self.frames(source)
        let file = try source.file(frames)
        let animation = try Self.animation(file, in: .displayP3)
        let still = try DecoderRegistry.standard.decode(file, gamut: .displayP3)
        #expect(still.gamut == .displayP3)
        #expect(try #require(animation.frame(at: 0).worstDistance(to: still)) <= 1)
        // The same pixels without a profile, which no conversion changes.
        let plain = try Self.animation(source.file(frames, isWide: false), in: .sRGB)
        for number in [0, 2, 1, 0] {
            let frame = try animation.frame(at: number)
            #expect(frame.gamut == .displayP3)
            #expect(try #require(frame.worstDistance(to: plain.frame(at: number))) == 0, "frame \(number)")
        }
    }

    @Test(arguments: Source.allCases) func `frames become sRGB if none else is asked for`(source: Source) throws {
        let file = try source.file(Self.frames(source))
        let usual = try #require(try DecoderRegistry.standard.animation(for: file))
        let wide = try Self.animation(file, in: .displayP3)
        for number in 0..<2 {
            let frame = try usual.frame(at: number)
            #expect(frame.gamut == .sRGB)
            let converted = try wide.frame(at: number).converted(to: .sRGB)
            #expect(try #require(frame.worstDistance(to: converted)) <= 1, "frame \(number)")
        }
    }

    @Test(arguments: Source.allCases) func `frames are the same in a worker`(source: Source) throws {
        let file = try source.file(Self.frames(source))
        let here = try Self.animation(file, in: .displayP3)
        let apart = try Self.animation(
            file, in: .displayP3, DecoderRegistry.standard.isolated(in: DecoderWorkers(limit: 1)))
        for number in [0, 1, 2, 0] {
            let (frame, other) = try (here.frame(at: number), apart.frame(at: number))
            #expect(other.gamut == .displayP3 && frame.words == other.words, "frame \(number)")
        }
    }

    @Test func `frames of another wide gamut become Display P3`() throws {
        let frames = try [Pictures.gradient(40, 30), Pictures.quarters(40, 30)]
        let file = try WebPFiles.animation(
            width: 40, height: 30, profile: Profiles.adobeRGB(), frames.map { WebPFiles.Frame(bitmap: $0) })
        let animation = try Self.animation(file, in: .displayP3)
        for (number, bitmap) in frames.enumerated() {
            let still = try DecoderRegistry.standard.decode(
                WebPFiles.annotated(bitmap, profile: Profiles.adobeRGB()), gamut: .displayP3)
            #expect(still.gamut == .displayP3)
            #expect(try #require(animation.frame(at: number).worstDistance(to: still)) == 0)
        }
    }

    /// With 8 bits, a high range becomes sRGB.
    @Test(arguments: [(10, ColorGamut.displayP3), (8, .sRGB)] as [(UInt32, ColorGamut)])
    func `frames in PQ have the gamut that a still image has`(depth: UInt32, gamut: ColorGamut) throws {
        let source = AVIFFile(depth: depth, primaries: 9, transfer: 16, durations: [100, 100])
        let red = Pixel(40, 40, 120)
        let file = try source.encoded([Self.plain(40, 30, red), Self.plain(40, 30, .gray(90))])
        let still = try DecoderRegistry.standard.decode(file, gamut: .displayP3)
        #expect(still.gamut == gamut)
        let animation = try Self.animation(file, in: .displayP3)
        #expect(try #require(animation.frame(at: 0).worstDistance(to: still)) <= 2)
        #expect(try (0..<2).allSatisfy { try animation.frame(at: $0).gamut == gamut })
    }

    @Test func `a first frame that sRGB can show makes all frames sRGB`() throws {
        for source in Source.allCases {
            let file = try source.file([Self.plain(40, 30, .gray(100))] + Self.frames(source).dropFirst())
            let format = EncodingFormat.webp(quality: 80)
            let wide = try Self.animation(file, in: .displayP3).encoded(as: format)
            #expect(try wide == Self.animation(file, in: .sRGB).encoded(as: format))
        }
    }

    @Test func `the first frame decides where the default image is no frame`() throws {
        for (first, gamut) in [(Pixel.red, ColorGamut.displayP3), (.gray(90), .sRGB)] {
            let file = try APNGFile(
                width: 40, height: 30, hidden: Self.plain(40, 30, .green),
                frames: [.init(x: 4, y: 4, bitmap: Self.plain(20, 20, first)), .init(bitmap: Self.plain(9, 9, .blue))]
            ).encoded().addingPNGChunks([("cICP", Data([12, 13, 0, 1]))])
            let still = try DecoderRegistry.standard.decode(file, gamut: .displayP3)
            #expect(still.gamut == gamut && still[10, 10].isClose(to: first, within: 1) && still[0, 0].alpha == 0)
            let animation = try Self.animation(file, in: .displayP3)
            #expect(try animation.frame(at: 0).words == still.words)
            #expect(try animation.frame(at: 1).gamut == gamut)
        }
    }

    @Test func `a canvas has one gamut, to which a frame in another one is converted`() throws {
        let canvas = PixelSize(width: 8, height: 8)
        func frame(_ width: Int) -> AnimationFrame {
            AnimationFrame(
                rect: PixelRect(x: 0, y: 0, width: width, height: 4), duration: .seconds(1), hasAlpha: false)
        }
        let strong = try Self.plain(8, 4, .red).declaring(gamut: .displayP3), usual = try Self.plain(4, 4, .red)
        let frames = DrawnFrames(canvas, [(frame(0), usual), (frame(8), strong), (frame(4), usual)])
        var sequence = FrameSequence(frames, gamut: .displayP3, snapshotBytes: 0)
        #expect(try (0..<3).allSatisfy { try sequence.frame(at: $0).gamut == .displayP3 })
        let last = try sequence.frame(at: 2)
        #expect(last[1, 1].isClose(to: Pixel(35, 51, 234), within: 1) && last[6, 1] == .red && last[1, 6].alpha == 0)
    }

    // MARK: Files

    @Test(arguments: Source.allCases)
    func `an animated WebP names Display P3, and its frames stay in it`(source: Source) throws {
        let animation = try Self.animation(source.file(Self.frames(source)), in: .displayP3)
        let file = try animation.encoded(as: .webpLossless)
        #expect(DecoderRegistry.standard.colors(of: file) == "Display P3")
        let again = try Self.animation(file, in: .displayP3)
        #expect(again.durations == animation.durations && again.loopCount == animation.loopCount)
        for number in 0..<3 {
            #expect(try #require(again.frame(at: number).worstDistance(to: animation.frame(at: number))) == 0)
        }
    }

    @Test(arguments: Source.allCases)
    func `an animation in sRGB makes the same file in every gamut`(source: Source) throws {
        let file = try source.file(Self.frames(source), isWide: false)
        let format = EncodingFormat.webp(quality: 80)
        let wide = try Self.animation(file, in: .displayP3).encoded(as: format)
        #expect(try wide == Self.animation(file, in: .sRGB).encoded(as: format))
        #expect(wide.range(of: Data("ICCP".utf8)) == nil)
    }

    @Test func `a frame in another gamut is converted to that of its file`() throws {
        let writer = try AnimatedWebPWriter(
            size: PixelSize(width: 8, height: 4), loopCount: nil, compression: .lossless, gamut: .displayP3)
        try writer.add(Self.plain(8, 4, .red).declaring(gamut: .displayP3), duration: .seconds(1))
        try writer.add(Self.plain(8, 4, .red), duration: .seconds(1))
        let animation = try Self.animation(writer.finish(), in: .displayP3)
        #expect(try animation.frame(at: 0)[1, 1] == .red)
        #expect(try animation.frame(at: 1)[1, 1].isClose(to: Pixel(35, 51, 234), within: 1))
    }
}
