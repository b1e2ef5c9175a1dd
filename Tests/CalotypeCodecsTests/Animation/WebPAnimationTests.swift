import CWebP
import CalotypeCodecs
import Foundation
import Testing

@Suite struct WebPAnimationTests {
    /// Returns frames of every kind: small ones, transparent ones, some that blend, some that are cleared.
    static func file(loopCount: Int = 0, profile: Data? = nil) throws -> Data {
        let (whole, veil) = (try Pictures.gradient(60, 48), try Pictures.veil(30, 20))
        return try WebPFiles.animation(
            width: 60, height: 48, loopCount: loopCount, profile: profile,
            [
                .init(bitmap: whole, milliseconds: 40), .init(x: 10, y: 4, bitmap: veil, milliseconds: 70),
                .init(x: 30, y: 20, bitmap: veil, milliseconds: 5, blends: false),
                .init(x: 0, y: 28, bitmap: veil, milliseconds: 0, clears: true),
                .init(x: 4, y: 2, bitmap: try Pictures.quarters(20, 20), milliseconds: 200, clears: true),
                .init(bitmap: try Pictures.veil(60, 48), milliseconds: 90, clears: true),
                .init(x: 20, y: 20, bitmap: veil), .init(bitmap: try Pictures.noise(60, 48)),
            ])
    }

    @Test func `every frame is what libwebp's own player draws`() throws {
        let file = try Self.file()
        let animation = try #require(try DecoderRegistry.standard.animation(for: file))
        let expected = try Self.frames(byLibWebP: file)
        #expect(animation.frameCount == 8 && expected.count == 8)
        for index in [0, 1, 2, 3, 4, 5, 6, 7, 3, 0, 6, 2] {
            let distance = try animation.frame(at: index).worstDistance(to: expected[index])
            // libwebp blends with a shift instead of a division.
            #expect(try #require(distance) <= 2, "frame \(index)")
        }
    }

    @Test func `durations of 10 ms and less are 100 ms, and the header adds all up`() throws {
        let file = try Self.file(loopCount: 3)
        let animation = try #require(try DecoderRegistry.standard.animation(for: file))
        let milliseconds = [40, 70, 100, 100, 200, 90, 100, 100]
        #expect(animation.durations == milliseconds.map { .milliseconds($0) } && animation.loopCount == 3)
        let header = try DecoderRegistry.standard.header(of: file)
        #expect(header.frameCount == 8 && header.duration == .milliseconds(milliseconds.reduce(0, +)))
        #expect(try DecoderRegistry.standard.animation(for: Self.file())?.loopCount == nil)
    }

    @Test func `the number of frames may have no limit`() throws {
        var limits = DecodeLimits()
        for (most, isOpened) in [(7, false), (8, true), (.max, true)] {
            limits.maxFrames = most
            let animation = try? DecoderRegistry.standard.animation(for: Self.file(), limits: limits)
            #expect((animation?.frameCount == 8) == isOpened)
        }
    }

    @Test func `a still image is no animation`() throws {
        #expect(try DecoderRegistry.standard.animation(for: Pictures.veil(9, 9).encoded(as: .webp())) == nil)
    }

    @Test func `a profile holds for every frame`() throws {
        let red = try Bitmap.drawn(20, 20) { _, _ in .red }
        let file = try WebPFiles.animation(
            width: 20, height: 20, profile: Profiles.swapped(), [.init(bitmap: red), .init(bitmap: red)])
        let animation = try #require(try DecoderRegistry.standard.animation(for: file))
        for index in 0..<2 { #expect(try animation.frame(at: index)[9, 9].green > 200) }
    }

    @Test func `a frame that reaches over the canvas is damage, found before a pixel is decoded`() throws {
        let file = try WebPFiles.animation(
            width: 60, height: 48, [(0, 0, Pictures.gradient(60, 48)), (40, 40, Pictures.veil(30, 20))])
        let error = #expect(throws: CodecError.self) { try DecoderRegistry.standard.animation(for: file) }
        #expect(error?.code == .damaged)
    }

    private static func frames(byLibWebP file: Data) throws -> [Bitmap] {
        try file.withUnsafeBytes { bytes in
            var data = WebPData(bytes: bytes.bindMemory(to: UInt8.self).baseAddress, size: bytes.count)
            var options = WebPAnimDecoderOptions()
            try #require(WebPAnimDecoderOptionsInit(&options) != 0)
            options.color_mode = MODE_bgrA
            let decoder = try #require(WebPAnimDecoderNew(&data, &options))
            defer { WebPAnimDecoderDelete(decoder) }
            var info = WebPAnimInfo()
            try #require(WebPAnimDecoderGetInfo(decoder, &info) != 0)
            let (width, height) = (Int(info.canvas_width), Int(info.canvas_height))
            var frames: [Bitmap] = []
            var pixels: UnsafeMutablePointer<UInt8>?
            var time: Int32 = 0
            while WebPAnimDecoderHasMoreFrames(decoder) != 0 {
                try #require(WebPAnimDecoderGetNext(decoder, &pixels, &time) != 0)
                let source = UnsafeRawBufferPointer(start: pixels, count: 4 * width * height)
                frames.append(
                    try Bitmap(width: width, height: height, hasAlpha: true) { target, _ in
                        target.copyMemory(from: source)
                    })
            }
            return frames
        }
    }
}

@Suite struct AnimatedWebPWriterTests {
    @Test func `an animation is written smaller, with its steps and times`() throws {
        let file = try WebPAnimationTests.file(loopCount: 2)
        let source = try #require(
            try DecoderRegistry.standard.animation(
                for: file, target: ResizeTarget(width: 30), steps: [.rotate(quarterTurns: 1)]))
        let written = try source.encoded(as: .webpLossless)
        let animation = try #require(try DecoderRegistry.standard.animation(for: written))
        #expect(animation.size == PixelSize(width: 24, height: 30) && animation.loopCount == 2)
        #expect(animation.durations == source.durations)
        for index in 0..<animation.frameCount {
            let distance = try animation.frame(at: index).worstDistance(to: source.frame(at: index))
            #expect(try #require(distance) <= 2, "frame \(index)")
        }
        let error = #expect(throws: CodecError.self) { try source.encoded(as: .png) }
        #expect(error?.code == .encodingFailed)
    }

    private static func frames() throws -> [Bitmap] {
        try [Pictures.gradient(40, 30), Pictures.veil(40, 30), Pictures.veil(40, 30), Pictures.quarters(40, 30)]
    }

    @Test func `what is written without loss comes back pixel by pixel, with its times`() throws {
        let frames = try Self.frames()
        let writer = try AnimatedWebPWriter(
            size: PixelSize(width: 40, height: 30), loopCount: 4, compression: .lossless)
        let durations: [Duration] = [.milliseconds(40), .seconds(1), .milliseconds(200), .milliseconds(333)]
        for (frame, duration) in zip(frames, durations) { try writer.add(frame, duration: duration) }
        let animation = try #require(try DecoderRegistry.standard.animation(for: writer.finish()))
        #expect(animation.loopCount == 4)
        // Two equal frames become one.
        #expect(animation.durations == [.milliseconds(40), .milliseconds(1200), .milliseconds(333)])
        for (index, expected) in [0, 1, 3].enumerated() {
            let distance = try animation.frame(at: index).worstDistance(to: frames[expected])
            #expect(try #require(distance) <= 1, "frame \(index)")
        }
    }

    @Test func `opaque frames that leave a part of the canvas free declare alpha`() throws {
        let writer = try AnimatedWebPWriter(size: PixelSize(width: 40, height: 30), loopCount: nil)
        for color in [Pixel.red, .blue] {
            let frame = try Bitmap.drawn(40, 30, hasAlpha: true) { x, y in
                (10..<20).contains(x) && (10..<20).contains(y) ? color : .clear
            }
            try writer.add(frame, duration: .milliseconds(100))
        }
        let file = try writer.finish()
        #expect(file[12..<16] == Data("VP8X".utf8) && file[20] & 0x10 != 0)
        let opaque = try AnimatedWebPWriter(size: PixelSize(width: 8, height: 8), loopCount: nil)
        for seed in 1...2 { try opaque.add(Pictures.noise(8, 8, seed: UInt64(seed)), duration: .seconds(1)) }
        #expect(try opaque.finish()[20] & 0x10 == 0)
    }

    @Test func `parts of a millisecond are not lost over many frames`() throws {
        let writer = try AnimatedWebPWriter(size: PixelSize(width: 8, height: 8), loopCount: nil)
        for index in 0..<30 {
            try writer.add(Pictures.noise(8, 8, seed: UInt64(index)), duration: .seconds(1) / 30)
        }
        let animation = try #require(try DecoderRegistry.standard.animation(for: writer.finish()))
        #expect(animation.durations.reduce(.zero, +) == .seconds(1) && animation.loopCount == nil)
    }

    @Test func `one frame is a still image`() throws {
        let drawn = try Pictures.veil(40, 30)
        let writer = try AnimatedWebPWriter(size: drawn.size, loopCount: nil, compression: .lossless)
        try writer.add(drawn, duration: .milliseconds(100))
        let file = try writer.finish()
        #expect(try DecoderRegistry.standard.animation(for: file) == nil)
        #expect(try #require(file.decoded().worstDistance(to: drawn)) <= 1)
    }

    @Test func `frames of another size, sides that are too long and animations without a frame are errors`() throws {
        let writer = try AnimatedWebPWriter(size: PixelSize(width: 8, height: 8), loopCount: nil)
        let errors = [
            #expect(throws: CodecError.self) { try writer.add(Pictures.noise(9, 8), duration: .seconds(1)) },
            #expect(throws: CodecError.self) { try writer.finish() },
            #expect(throws: CodecError.self) {
                try AnimatedWebPWriter(size: PixelSize(width: 16_384, height: 1), loopCount: nil)
            },
        ]
        #expect(errors.allSatisfy { $0?.code == .encodingFailed })
    }
}
