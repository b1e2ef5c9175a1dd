import CSpng
import CTurboJPEG
import CalotypeCodecs
import Foundation
import Testing

@Suite struct ColorTests {
    private let red = Result { try Bitmap.drawn(32, 32) { _, _ in Pixel(10, 20, 240) } }

    @Test(arguments: [1, 2, 7])
    func `a JPEG's profile decides what its numbers look like, in any number of chunks`(chunks: Int) throws {
        let file = try JPEGFiles.make(red.get()).addingProfile(Profiles.swapped(), chunks: chunks)
        let seen = try file.decoded()[16, 16]
        #expect(seen.green > 200 && seen.red < 60 && seen.alpha == 255)
    }

    @Test func `thumbnails are converted as full-size images are`() throws {
        let file = try JPEGFiles.make(red.get()).addingProfile(Profiles.swapped()).addingEXIF(6)
        let thumbnail = try file.decoded(ResizeTarget(width: 9))[4, 4]
        #expect(try thumbnail.isClose(to: file.decoded()[16, 16], within: 2))
    }

    @Test func `sRGB under its own name changes nothing`() throws {
        let plain = try JPEGFiles.make(Pictures.gradient(32, 32))
        let tagged = try plain.addingProfile(Profiles.sRGB())
        #expect(try tagged.decoded().worstDistance(to: plain.decoded()) == 0)
    }

    @Test func `another gamma brightens or darkens`() throws {
        let gray = try Bitmap.drawn(16, 16) { _, _ in .gray(128) }
        let linear = try JPEGFiles.make(gray).addingProfile(Profiles.rgb(gamma: 1)).decoded()[8, 8]
        #expect(linear.isClose(to: .gray(188), within: 2))
        let steep = try JPEGFiles.make(gray).addingProfile(Profiles.rgb(gamma: 2.6)).decoded()[8, 8]
        #expect(steep.green < 125)
    }

    @Test func `grey images follow grey profiles and color ones`() throws {
        let gray = try Bitmap.drawn(16, 16) { _, _ in .gray(128) }
        let file = try JPEGFiles.make(gray, sampling: TJSAMP_GRAY)
        for profile in try [Profiles.gray(gamma: 1), Profiles.rgb(gamma: 1)] {
            let seen = try file.addingProfile(profile).decoded()[8, 8]
            #expect(seen.isClose(to: .gray(188), within: 2))
        }
    }

    @Test func `inks follow their profile`() throws {
        let cyan = try JPEGFiles.ycck(16, 16, cyan: 0, magenta: 255, yellow: 255, black: 255)
        #expect(try cyan.decoded()[8, 8].isClose(to: Pixel(255, 255, 0), within: 3))
        let seen = try cyan.addingProfile(Profiles.grayInks()).decoded()[8, 8]
        // A fifth of all ink: lightness 80, in neutral grey.
        #expect(seen.isClose(to: .gray(198), within: 4))
    }

    @Test func `the black of a press is black on a screen, and its paper white`() throws {
        let profile = try Profiles.grayInks(black: 0.12)
        let black = try JPEGFiles.ycck(16, 16, cyan: 0, magenta: 0, yellow: 0, black: 0).addingProfile(profile)
        #expect(try black.decoded()[8, 8].isClose(to: .gray(0), within: 3))
        let paper = try JPEGFiles.ycck(16, 16, cyan: 255, magenta: 255, yellow: 255, black: 255).addingProfile(profile)
        #expect(try paper.decoded()[8, 8].isClose(to: .gray(255), within: 2))
    }

    @Test func `profiles that are broken or for other images are ignored`() throws {
        let plain = try JPEGFiles.make(red.get())
        let good = try Profiles.swapped()
        var scrambled = good
        for place in stride(from: 128, to: scrambled.count, by: 3) { scrambled[place] ^= 0x5A }
        for profile in [
            Data(), Data([1, 2, 3]), good.prefix(200), scrambled, try Profiles.grayInks(), try Profiles.gray(gamma: 1),
        ] {
            #expect(try plain.addingProfile(profile).decoded()[16, 16] == plain.decoded()[16, 16])
        }
        let missingChunk = plain.addingSegment(0xE2, Data("ICC_PROFILE\0".utf8) + [1, 2] + good)
        #expect(try missingChunk.decoded()[16, 16] == plain.decoded()[16, 16])
    }

    // MARK: - PNG and WebP

    private func png(_ pixels: [Pixel], profile: Data, isMarkedSRGB: Bool = false) throws -> Data {
        let file = PNGFile(
            width: pixels.count, height: 1, colorType: SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, profile: profile,
            isMarkedSRGB: isMarkedSRGB)
        return try file.encoded(pixels.flatMap { [$0.red, $0.green, $0.blue, $0.alpha] })
    }

    @Test func `a PNG's profile works under its transparency`() throws {
        let straight = [Pixel(0, 0, 255), Pixel(0, 0, 255, 128), Pixel(0, 0, 255, 0), Pixel(128, 128, 128, 128)]
        let seen = try png(straight, profile: Profiles.swapped()).decoded().pixels[0]
        #expect(seen[0].green > 200 && seen[0].red < 60)
        #expect(seen[1].isClose(to: seen[0].premultiplied(128), within: 2) && seen[1].alpha == 128)
        #expect(seen[2] == .clear)
        #expect(seen[3].isClose(to: Pixel.gray(128).premultiplied(128), within: 3))
    }

    @Test func `colors never exceed their alpha after a conversion`() throws {
        let straight = (0...255).map { Pixel(255, 128, UInt8($0), UInt8($0)) }
        let seen = try png(straight, profile: Profiles.rgb(gamma: 1)).decoded()
        #expect(seen.distinctPixels.allSatisfy { max($0.red, $0.green, $0.blue) <= $0.alpha })
        #expect(seen.pixels[0].map(\.alpha) == straight.map(\.alpha))
    }

    @Test func `a WebP's profile decides what its numbers look like`() throws {
        let file = try WebPFiles.annotated(red.get(), profile: Profiles.swapped())
        let seen = try file.decoded()[16, 16]
        #expect(seen.green > 200 && seen.red < 60)
        #expect(try file.decoded(ResizeTarget(width: 8))[4, 4].isClose(to: seen, within: 2))
    }
}
