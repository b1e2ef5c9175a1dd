import CAvif
import CalotypeCodecs
import Foundation
import Requirements
import Testing

@Suite struct AVIFDecoderTests {
    @Test func `what was written comes back as it looked, with its transparency`() throws {
        for drawn in [try Pictures.gradient(97, 61), try Pictures.veil(80, 50)] {
            let file = try drawn.encoded(as: .avif(quality: 95))
            let header = try DecoderRegistry.standard.header(of: file)
            #expect(header.format == .avif && header.uprightSize == drawn.size && header.hasAlpha == drawn.hasAlpha)
            #expect(header.frameCount == 1 && header.bitsPerSample == 8 && header.duration == .zero)
            let decoded = try file.decoded()
            #expect(try #require(decoded.worstDistance(to: drawn)) <= 12)
            #expect(decoded.distinctPixels.allSatisfy { max($0.red, $0.green, $0.blue) <= $0.alpha })
        }
    }

    @Test func `written files say that they are sRGB, and hold no EXIF`() throws {
        let file = try Pictures.gradient(16, 16).encoded(as: .avif())
        #expect(file.range(of: Data("nclx".utf8) + [0, 1, 0, 13, 0, 6, 0x80]) != nil)
        #expect(file.range(of: Data("Exif".utf8)) == nil)
    }

    @Test func `more quality takes more bytes`() throws {
        let drawn = try Pictures.noise(64, 64)
        let sizes = try [10, 50, 95].map { try drawn.encoded(as: .avif(quality: $0)).count }
        #expect(sizes == sizes.sorted() && Set(sizes).count == 3)
    }

    @Test func `a thumbnail has exactly the size asked for`() throws {
        let file = try Pictures.quarters(300, 200).encoded(as: .avif(quality: 90))
        let small = try file.decoded(ResizeTarget(width: 30))
        #expect(small.size == PixelSize(width: 30, height: 20))
        for (seen, expected) in zip(small.corners, [Pixel.red, .green, .blue, .white]) {
            #expect(seen.isClose(to: expected, within: 6))
        }
    }

    @Test(.requirement("B63"), arguments: [nil, 0, 1, 2, 3] as [UInt8?], [nil, 0, 1] as [UInt8?])
    func `irot turns against the clock, imir mirrors after it, and both exactly once`(angle: UInt8?, mirror: UInt8?)
        throws
    {
        let drawn = try Pictures.quarters(40, 24)
        let file = try AVIFFile(angle: angle, mirror: mirror).encoded(drawn)
        var expected = try drawn.applying(.rotate(quarterTurns: -Int(angle ?? 0)))
        if let mirror { expected = try expected.applying(.flip(mirror == 0 ? .vertical : .horizontal)) }
        #expect(try DecoderRegistry.standard.header(of: file).uprightSize == expected.size)
        #expect(try #require(file.decoded().worstDistance(to: expected)) <= 12)
        let small = try file.decoded(ResizeTarget(width: 12, height: 12))
        #expect(max(small.width, small.height) == 12)
        for (seen, wanted) in zip(small.corners, expected.corners) { #expect(seen.isClose(to: wanted, within: 12)) }
    }

    @Test func `clap leaves the area that it names`() throws {
        let drawn = try Pictures.quarters(40, 24)
        let area = PixelRect(x: 20, y: 12, width: 20, height: 12)
        let file = try AVIFFile(area: area).encoded(drawn)
        #expect(try DecoderRegistry.standard.header(of: file).uprightSize == PixelSize(width: 20, height: 12))
        #expect(try #require(file.decoded().worstDistance(to: drawn.cropped(to: area))) <= 12)
    }

    @Test func `a clap that makes no sense leaves the whole image`() throws {
        let file = try AVIFFile(area: PixelRect(x: 20, y: 12, width: 20, height: 12)).encoded(Pictures.quarters(40, 24))
        var broken = file
        let place = try #require(broken.range(of: Data("clap".utf8))).upperBound
        broken.replaceSubrange(place..<place + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try broken.decoded().size == PixelSize(width: 40, height: 24))
    }

    @Test(arguments: [10, 12] as [UInt32])
    func `deeper samples come out in 8 bits`(depth: UInt32) throws {
        let drawn = try Pictures.gradient(64, 48)
        let file = try AVIFFile(depth: depth).encoded(drawn)
        #expect(try DecoderRegistry.standard.header(of: file).bitsPerSample == Int(depth))
        #expect(try #require(file.decoded().worstDistance(to: drawn)) <= 8)
    }

    @Test func `a profile, or the code points of nclx, decide what the numbers look like`() throws {
        let red = try Bitmap.drawn(16, 16) { _, _ in .red }
        let swapped = try AVIFFile(profile: Profiles.swapped()).encoded(red).decoded()[8, 8]
        #expect(swapped.green > 200 && swapped.red < 90)
        let gray = try Bitmap.drawn(16, 16) { _, _ in .gray(128) }
        #expect(try AVIFFile(transfer: 8).encoded(gray).decoded()[8, 8].isClose(to: .gray(188), within: 4))
        #expect(try AVIFFile(transfer: 1).encoded(gray).decoded()[8, 8].isClose(to: .gray(128), within: 3))
        #expect(
            try AVIFFile(primaries: 2, transfer: 2).encoded(gray).decoded()[8, 8].isClose(to: .gray(128), within: 3))
    }

    @Test func `a sequence shows its first frame, and its header counts frames and time`() throws {
        let drawn = try Pictures.quarters(40, 24)
        let file = try AVIFFile(durations: [100, 250, 400]).encoded(drawn)
        let header = try DecoderRegistry.standard.header(of: file)
        #expect(header.frameCount == 3 && header.duration == .milliseconds(750))
        #expect(try #require(file.decoded().worstDistance(to: drawn)) <= 12)
    }

    @Test func `what is coded larger than announced is refused before it is decoded`() throws {
        var file = try Pictures.gradient(64, 64).encoded(as: .avif(quality: 90))
        let place = try #require(file.range(of: Data("ispe".utf8))).upperBound
        file.replaceSubrange(place + 4..<place + 12, with: Data().bigEndian(8, bytes: 4).bigEndian(8, bytes: 4))
        let error = #expect(throws: CodecError.self) { try file.decoded() }
        #expect(error?.code == .damaged)
    }

    @Test func `the cost counts coded planes beside pixels, twice as much for deep ones`() throws {
        let drawn = try Pictures.gradient(400, 300)
        func cost(_ depth: UInt32) throws -> Int {
            try DecoderRegistry.standard.plan(for: AVIFFile(depth: depth).encoded(drawn)).cost
        }
        let pixels = 400 * 300
        #expect(try cost(8) >= pixels * 4 + pixels * 3 && cost(10) - cost(8) >= pixels * 3)
    }

    @Test func `sides that readers of AVIF refuse are not written`() throws {
        for size in [PixelSize(width: 32_769, height: 1), PixelSize(width: 1, height: 40_000)] {
            let strip = try Bitmap.drawn(size.width, size.height) { _, _ in .white }
            let error = #expect(throws: CodecError.self) { try strip.encoded(as: .avif()) }
            #expect(error?.code == .encodingFailed && error?.message.contains("32768") == true)
        }
        let longest = try Bitmap.drawn(32_768, 1) { _, _ in .white }
        #expect(try longest.encoded(as: .avif(speed: 10)).decoded().size == longest.size)
    }

    @Test func `clients with these decoders ask for AVIF`() {
        #expect(DecoderRegistry.standard.acceptField.contains("image/avif"))
    }
}
