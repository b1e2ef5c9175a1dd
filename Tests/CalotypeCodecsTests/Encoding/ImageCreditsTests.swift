import CSpng
import CalotypeTesting
import TestSupport
import Foundation
import Requirements
import Testing

@testable import CalotypeCodecs

struct ImageCreditsTests {
    /// Keeps the image as it is, with its credits.
    private struct KeepingLayout: ImageLayout {
        let key = "keeping"
        let keepsCredits: Bool

        func placement(of size: PixelSize, isScalable: Bool) -> ImagePlacement { ImagePlacement(size) }
    }

    private func decoded(_ file: Data, keepsCredits: Bool = true) throws -> Bitmap {
        try DecoderRegistry.standard.plan(for: file, target: KeepingLayout(keepsCredits: keepsCredits)).decode()
    }

    private func credits(_ artist: String, _ copyright: String) -> ImageCredits? {
        ImageCredits(artist: Array(artist.utf8), copyright: Array(copyright.utf8))
    }

    @Test(arguments: [false, true]) func `credits are read from JPEG, PNG and WebP`(isBigEndian: Bool) throws {
        let block = SampleEXIF.block(artist: "Zoë", copyright: "© 2026 Zoë Ray", isBigEndian: isBigEndian)
        let picture = try Pictures.gradient(24, 16)
        let png = try PNGFile(width: 24, height: 16, colorType: SPNG_COLOR_TYPE_TRUECOLOR, exif: block)
            .encoded([UInt8](repeating: 9, count: 24 * 16 * 3))
        for file in [
            try SampleEXIF.jpeg(picture.encoded(as: .jpeg()), with: block), png,
            try WebPFiles.annotated(picture, exif: block),
        ] {
            #expect(try decoded(file).credits == credits("Zoë", "© 2026 Zoë Ray"))
            #expect(try decoded(file, keepsCredits: false).credits == nil)
        }
    }

    @Test(
        arguments: [
            (nil, "c", "", "c"), ("a", nil, "a", ""), ("Ann ", "  ", "Ann", ""), ("", "abc", "", "abc"),
            ("abcd", "abcde\0fg\0\0", "abcd", "abcde\0fg"),
        ] as [(String?, String?, String, String)])
    func `empty and padded texts`(artist: String?, copyright: String?, first: String, second: String) throws {
        let file = SampleEXIF.jpeg(
            SamplePhotos.jpeg(width: 16, height: 16), with: SampleEXIF.block(artist: artist, copyright: copyright))
        #expect(try decoded(file).credits == credits(first, second))
    }

    @Test(arguments: [SampleEXIF.block(artist: nil, copyright: " "), Data(), Data("MM\0*".utf8), nil])
    func `a file whose block has no credits, or that has no block, has none`(block: Data?) throws {
        let jpeg = SamplePhotos.jpeg(width: 16, height: 16)
        #expect(try decoded(block.map { SampleEXIF.jpeg(jpeg, with: $0) } ?? jpeg).credits == nil)
    }

    @Test func `of a block that is cut off, the credits that lie within it are read`() throws {
        let whole = SampleEXIF.block(artist: "Ann", copyright: "Ann & Sons")
        // The artist stands in its entry, and the copyright behind all entries, in front of the place.
        let (artist, copyright) = (34, whole.count - 7)
        for length in [0, 8, 30, artist - 1, artist, copyright - 1, copyright, whole.count] {
            let file = SampleEXIF.jpeg(SamplePhotos.jpeg(width: 16, height: 16), with: whole.prefix(length))
            let expected = length < artist ? nil : credits("Ann", length < copyright ? "" : "Ann & Sons")
            #expect(try decoded(file).credits == expected, "\(length) bytes")
        }
    }

    @Test func `no change of a byte leads out of the block`() throws {
        var random = SplitMix(seed: 7)
        let block = Data("Exif\0\0".utf8) + SampleEXIF.block(artist: "Ann Lee", copyright: "(c) 2026 Ann Lee")
        for _ in 0..<20_000 {
            var changed = block
            for _ in 0...Int(random.next() % 3) {
                changed[Int(random.next() % UInt64(block.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            let found = changed.prefix(Int(random.next() % UInt64(block.count + 1))).withUnsafeBytes {
                ImageCredits(exif: ByteReader($0))
            }
            #expect((found?.artist.count ?? 0) <= block.count && (found?.copyright.count ?? 0) <= block.count)
        }
    }

    @Test func `a text that is too long is left out`() {
        let long = String(repeating: "x", count: 4097)
        #expect(credits(long, "c") == credits("", "c"))
        #expect(credits(String(long.dropFirst()), "")?.artist.count == 4096)
        #expect(credits(long, long) == nil)
    }

    @Test(
        .requirement("V39"),
        arguments: [("Ann", "Bo"), ("a", ""), ("", "© Ann & Söhne"), (String(repeating: "a", count: 4096), "b")])
    func `written files have these two tags alone, and the same pixels`(artist: String, copyright: String) throws {
        let written = try #require(credits(artist, copyright))
        let still = try Pictures.gradient(48, 32)
        for format in [
            EncodingFormat.jpeg(), .jpeg(quality: 90, isProgressive: true), .webp(), .webpLossless, .png, .avif(),
        ] {
            let plain = try still.encoded(as: format)
            let file = try format.encode(still, with: EXIFBlock(written))
            #expect(try decoded(file).credits == written)
            #expect(try decoded(file).pixels == decoded(plain).pixels)
        }
    }

    @Test func `an animation keeps its frames, its loop count and its transparency`() throws {
        let written = try #require(credits("Ann", "Bo"))
        let writer = try AnimatedWebPWriter(size: PixelSize(width: 48, height: 48), loopCount: 3)
        for seed in 1...3 {
            let frame = try Pictures.noise(32, 32, seed: UInt64(seed)).applying(
                ImageSteps.Pad(top: 8, left: 8, bottom: 8, right: 8))
            try writer.add(frame, duration: .milliseconds(70))
        }
        let plain = try writer.finish()
        let file = try EXIFBlock(written).embedded(in: plain, .webp)
        #expect(try decoded(file).credits == written)
        #expect(file[20] & 0x10 == plain[20] & 0x10)
        let animation = try #require(try DecoderRegistry.standard.animation(for: file))
        let before = try #require(try DecoderRegistry.standard.animation(for: plain))
        #expect(animation.durations == before.durations && animation.loopCount == 3)
        #expect(try animation.frame(at: 0).pixels == before.frame(at: 0).pixels)
    }

    @Test func `the first frames of an animation can be encoded alone, and encoding can end early`() throws {
        let gif = SampleAnimations.gif(
            width: 8, height: 8, colors: [0xFF0000, 0x00FF00, 0x0000FF], delay: 7, repetitions: 2)
        let animation = try #require(try DecoderRegistry.standard.animation(for: gif))
        let file = try animation.encoded(as: .webpLossless, frames: 2) { true }
        let short = try #require(try DecoderRegistry.standard.animation(for: file))
        #expect(short.frameCount == 2 && short.loopCount == animation.loopCount)
        #expect(short.durations == [.milliseconds(70), .milliseconds(70)])
        var calls = 0
        let error = #expect(throws: CodecError.self) {
            try animation.encoded(as: .webpLossless, frames: .max) {
                calls += 1
                return calls < 2
            }
        }
        #expect(error?.code == .cancelled)
        #expect(calls == 2)
    }
}
