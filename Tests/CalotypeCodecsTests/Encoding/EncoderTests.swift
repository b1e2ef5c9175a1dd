import CTurboJPEG
import CalotypeTesting
@testable import CalotypeCodecs
import Foundation
import Testing

@Suite struct EncoderTests {
    @Test func `PNG keeps opaque images to the bit`() throws {
        let drawn = try Pictures.noise(61, 33)
        let decoded = try drawn.encoded(as: .png).decoded()
        #expect(decoded.worstDistance(to: drawn) == 0)
        #expect(!decoded.hasAlpha)
    }

    @Test func `PNG gives back every premultiplied pixel`() throws {
        let drawn = try Bitmap.drawn(256, 256, hasAlpha: true) { level, alpha in
            let channel = UInt8(min(level, alpha))
            return Pixel(channel, UInt8(alpha), UInt8(alpha) - channel, UInt8(alpha))
        }
        #expect(try drawn.encoded(as: .png).decoded().worstDistance(to: drawn) == 0)
    }

    @Test func `JPEG lays transparent images over white`() throws {
        let drawn = try Bitmap.drawn(32, 32, hasAlpha: true) { _, _ in Pixel.red.premultiplied(128) }
        let decoded = try drawn.encoded(as: .jpeg(quality: 95)).decoded()
        #expect(decoded[16, 16].isClose(to: Pixel(127, 127, 255), within: 3))
        #expect(drawn[16, 16] == Pixel(0, 0, 128, 128))
    }

    @Test func `a color that exceeds its alpha, which no image has, changes no other channel`() throws {
        let impossible = try Bitmap.drawn(16, 16, hasAlpha: true) { x, _ in
            x < 8 ? Pixel(0, 255, 0, 128) : Pixel(255, 0, 255, 0)
        }
        let jpeg = try impossible.encoded(as: .jpeg(quality: 100, isProgressive: false, keepsColors: true)).decoded()
        #expect(jpeg[2, 8].isClose(to: Pixel(127, 255, 127), within: 3) && jpeg[13, 8].isClose(to: .white, within: 3))
        for format in [EncodingFormat.png, .webp(), .avif(speed: 10)] {
            #expect(try impossible.encoded(as: format).decoded()[2, 8].isClose(to: Pixel(0, 128, 0, 128), within: 8))
        }
    }

    @Test func `effort changes the file, within its range`() throws {
        let noise = try Pictures.noise(120, 120)
        let (fast, small) = (try noise.encoded(as: .webp(effort: 0)), try noise.encoded(as: .webp(effort: 6)))
        #expect(small.count < fast.count)
        #expect(try noise.encoded(as: .webp(effort: 99)) == small)
        #expect(try noise.encoded(as: .webp()) == noise.encoded(as: .webp(effort: 4)))
        let quick = try noise.encoded(as: .avif(speed: 10))
        #expect(try quick != noise.encoded(as: .avif()) && quick == noise.encoded(as: .avif(speed: 99)))
        #expect(try quick.decoded().size == noise.size)
    }

    @Test func `a progressive JPEG says so in its header`() throws {
        var encoder = JPEGEncoder()
        encoder.isProgressive = true
        let file = try Pictures.gradient(64, 64).encoded(as: EncodingFormat(encoder))
        #expect(try DecoderRegistry.standard.header(of: file).isProgressive)
    }

    @Test func `4:4:4 keeps colors sharp at any quality, and 4:2:0 does not: the image decides`() throws {
        let stripes = try Bitmap.drawn(64, 64) { x, _ in x % 2 == 0 ? .red : .blue }
        func distance(_ keepsColors: Bool?, _ quality: Int) throws -> Int {
            let format = EncodingFormat.jpeg(quality: quality, isProgressive: true, keepsColors: keepsColors)
            return try #require(stripes.encoded(as: format).decoded().worstDistance(to: stripes))
        }
        #expect(try distance(true, 85) < 60 && distance(false, 95) > 100)
        #expect(try distance(nil, 95) < 60 && distance(nil, 85) < 60)
    }

    @Test(arguments: [false, true])
    func `a JPEG has Huffman tables of its own, which take fewer bytes than the default ones`(
        isProgressive: Bool
    ) throws {
        let file = try Pictures.gradient(96, 64).encoded(as: .jpeg(quality: 80, isProgressive: isProgressive))
        // The default table of DC coefficients of luma (ITU-T T.81, table K.3).
        let standard = Data([0, 0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
        #expect(file.range(of: standard) == nil)
        let photograph = SamplePhotos.bitmap(width: 400, height: 300)
        let written = try JPEGFiles.make(photograph, sampling: TJSAMP_420, quality: 80)
        #expect(try photograph.encoded(as: .jpeg(quality: 80)).count < written.count * 97 / 100)
    }

    @Test func `a JPEG has the sRGB profile only on request`() throws {
        let drawn = try Pictures.gradient(48, 32)
        let bare = try drawn.encoded(as: .jpeg())
        #expect(bare.range(of: Data("ICC_PROFILE".utf8)) == nil && DecoderRegistry.standard.colors(of: bare) == nil)
        let format = EncodingFormat.jpeg(isProgressive: false, hasProfile: true)
        let jpeg = try drawn.encoded(as: format)
        #expect(
            jpeg.range(of: Data("ICC_PROFILE\0\u{1}\u{1}".utf8)) != nil
                && DecoderRegistry.standard.colors(of: jpeg) == "sRGB built-in")
        #expect(try jpeg == drawn.encoded(as: format), "the same image gives the same bytes")
        #expect(jpeg.count == bare.count + 588 + 18)
        #expect(try jpeg.decoded().worstDistance(to: bare.decoded()) == 0)
    }

    @Test func `written files are sRGB, and hold no EXIF`() throws {
        let drawn = try Pictures.gradient(48, 32)
        let jpeg = try drawn.encoded(as: .jpeg())
        let png = try drawn.encoded(as: .png)
        #expect(png.range(of: Data("sRGB\0".utf8)) != nil && DecoderRegistry.standard.colors(of: png) == "sRGB")
        // WebP without a profile is sRGB by its specification.
        let webp = try drawn.encoded(as: .webp())
        #expect(DecoderRegistry.standard.colors(of: webp) == nil)
        for file in [jpeg, png, webp, try drawn.encoded(as: .avif())] {
            #expect(file.range(of: Data("Exif".utf8)) == nil && file.range(of: Data("eXIf".utf8)) == nil)
            #expect(try #require(file.decoded().worstDistance(to: drawn)) <= 40)
        }
    }

    @Test func `more quality takes more bytes`() throws {
        let drawn = try Pictures.noise(64, 64)
        for format in [{ EncodingFormat.jpeg(quality: $0) }, { EncodingFormat.webp(quality: $0) }] {
            let sizes = try [10, 50, 95].map { try drawn.encoded(as: format($0)).count }
            #expect(sizes == sizes.sorted() && Set(sizes).count == 3)
        }
    }

    @Test func `a quality out of range counts as the nearest in it`() throws {
        let drawn = try Pictures.gradient(32, 32)
        #expect(try drawn.encoded(as: .jpeg(quality: 700)) == drawn.encoded(as: .jpeg(quality: 100)))
        #expect(try drawn.encoded(as: .jpeg(quality: .min)) == drawn.encoded(as: .jpeg(quality: 0)))
    }

    @Test func `a size that a format cannot hold is refused by name`() throws {
        let long = try Bitmap.drawn(16_384, 1) { _, _ in .red }
        let error = #expect(throws: CodecError.self) { try long.encoded(as: .webp()) }
        #expect(error?.code == .encodingFailed)
        #expect(error?.message.contains("16383") == true)
        #expect(try long.encoded(as: .png).decoded().width == 16_384)

        let longer = try Bitmap.drawn(65_501, 1) { _, _ in .red }
        #expect(throws: CodecError.self) { try longer.encoded(as: .jpeg()) }
    }
}
