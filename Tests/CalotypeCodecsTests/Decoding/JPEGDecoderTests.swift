import CTurboJPEG
import CalotypeCodecs
import Foundation
import Requirements
import Testing

@Suite struct JPEGDecoderTests {
    @Test(arguments: [false, true])
    func `baseline and progressive files come back as they were drawn`(progressive: Bool) throws {
        let drawn = try Pictures.gradient(61, 47)
        let decoded = try JPEGFiles.make(drawn, progressive: progressive).decoded()
        #expect(try #require(decoded.worstDistance(to: drawn)) <= 8)
        #expect(!decoded.hasAlpha)
    }

    @Test func `grey files give three equal channels`() throws {
        let drawn = try Bitmap.drawn(40, 30) { x, y in .gray(UInt8(4 * x + 3 * y)) }
        let decoded = try JPEGFiles.make(drawn, sampling: TJSAMP_GRAY).decoded()
        #expect(try #require(decoded.worstDistance(to: drawn)) <= 4)
        #expect(decoded.distinctPixels.allSatisfy { $0.blue == $0.green && $0.green == $0.red && $0.alpha == 255 })
    }

    @Test func `files in all the samplings decode`() throws {
        let drawn = try Pictures.gradient(67, 45)
        for sampling in [TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_411] {
            let decoded = try JPEGFiles.make(drawn, sampling: sampling).decoded()
            #expect(try #require(decoded.worstDistance(to: drawn)) <= 40)
        }
    }

    @Test func `a size wanted comes out exactly, whatever eighth the codec stopped at`() throws {
        let file = try JPEGFiles.make(Pictures.quarters(403, 301))
        for width in [1, 7, 50, 51, 101, 202, 300, 402, 403] {
            let target = ResizeTarget(width: width)
            let plan = try DecoderRegistry.standard.plan(for: file, target: target)
            let bitmap = try plan.decode()
            #expect(bitmap.width == width && bitmap.height == plan.outputSize.height)
            if width > 7 {
                #expect(
                    zip(bitmap.corners, [.red, .green, .blue, .white]).allSatisfy { $0.isClose(to: $1, within: 12) })
            }
        }
    }

    @Test func `an image is enlarged where the target says so`() throws {
        let file = try JPEGFiles.make(Pictures.quarters(40, 30))
        let bitmap = try file.decoded(ResizeTarget(width: 100, height: 90, mode: .exact, upscales: true))
        #expect(bitmap.width == 100 && bitmap.height == 90)
        #expect(try file.decoded(ResizeTarget(width: 100)).width == 40)
    }

    // MARK: - Orientation

    /// The visible positions of the stored image's quarters (red, green, blue, white), by orientation.
    static let turned: [[Pixel]] = [
        [.red, .green, .blue, .white], [.green, .red, .white, .blue],
        [.white, .blue, .green, .red], [.blue, .white, .red, .green],
        [.red, .blue, .green, .white], [.blue, .red, .white, .green],
        [.white, .green, .blue, .red], [.green, .white, .red, .blue],
    ]

    @Test(
        .requirement("B63"), arguments: 1...8,
        [true, false])
    func `the EXIF orientation is applied exactly once, in thumbnails too`(orientation: Int, bigEndian: Bool) throws {
        let file = try JPEGFiles.make(Pictures.quarters(96, 64)).addingEXIF(orientation, bigEndian: bigEndian)
        let header = try DecoderRegistry.standard.header(of: file)
        #expect(header.orientation == orientation && header.width == 96 && header.height == 64)

        let upright = orientation >= 5 ? PixelSize(width: 64, height: 96) : PixelSize(width: 96, height: 64)
        let thumbnail = PixelSize(width: upright.width * 3 / 8 + 1, height: upright.height * 3 / 8 + 1)
        for (target, size) in [
            (nil, upright),
            (ResizeTarget(width: thumbnail.width, height: thumbnail.height, mode: .exact), thumbnail),
        ] {
            let bitmap = try file.decoded(target)
            #expect(bitmap.width == size.width && bitmap.height == size.height)
            for (seen, expected) in zip(bitmap.corners, Self.turned[orientation - 1]) {
                #expect(seen.isClose(to: expected, within: 12))
            }
        }
    }

    @Test func `an encoded copy of a turned image is upright and says so`() throws {
        let file = try JPEGFiles.make(Pictures.quarters(96, 64)).addingEXIF(6)
        let again = try file.decoded().encoded(as: .jpeg(quality: 95))
        #expect(try DecoderRegistry.standard.header(of: again).orientation == 1)
        #expect(try again.decoded().corners[0].isClose(to: .blue, within: 12))
    }

    @Test func `a broken EXIF block means upright`() throws {
        let file = try JPEGFiles.make(Pictures.quarters(32, 32))
        let blocks = [
            Data("Exif\0\0".utf8), Data("Exif\0\0MM\0*\u{7F}\u{7F}\u{7F}\u{7F}".utf8), JPEGFiles.exif(0),
            JPEGFiles.exif(9), JPEGFiles.exif(6).prefix(24),
        ]
        for block in blocks {
            #expect(try file.addingSegment(0xE1, block).decoded().corners[0].isClose(to: .red, within: 12))
        }
    }

    // MARK: - Inks

    @Test func `inks that Adobe stored inverted are turned into light`() throws {
        let pure = try JPEGFiles.ycck(24, 24, cyan: 255, magenta: 0, yellow: 0, black: 255).decoded()
        #expect(pure[12, 12].isClose(to: .red, within: 3))
        let dim = try JPEGFiles.ycck(24, 24, cyan: 255, magenta: 128, yellow: 64, black: 128).decoded()
        #expect(dim[12, 12].isClose(to: Pixel(32, 64, 128), within: 3))
    }

    /// Adobe's marker names the transform: 0 for CMYK, 2 for YCCK. Without it, libjpeg reads four inks.
    @Test(arguments: [0, nil])
    func `inks are stored inverted, with Adobe's marker or without`(transform: UInt8?) throws {
        // The file stores Y, Cb, Cr and K, which are read as cyan, magenta, yellow and black: 55, 128, 128 and 200.
        let written = try JPEGFiles.ycck(24, 24, cyan: 200, magenta: 200, yellow: 200, black: 200)
        let file =
            if let transform {
                try written.removingAdobeMarker()
                    .addingSegment(0xEE, Data("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform])
            } else { try written.removingAdobeMarker() }
        let expected = Pixel(100, 100, 43)
        let seen = try file.decoded()[12, 12]
        #expect(seen.isClose(to: expected, within: 3), "\(seen)")
    }

    @Test func `inks shrink as light does`() throws {
        let file = try JPEGFiles.ycck(160, 120, cyan: 255, magenta: 0, yellow: 0, black: 255)
        let bitmap = try file.decoded(ResizeTarget(width: 33))
        #expect(bitmap.width == 33 && bitmap[16, 12].isClose(to: .red, within: 3))
    }

    // MARK: - Damage

    @Test func `bytes too many in front of a marker do no harm`() throws {
        let file = try JPEGFiles.make(Pictures.gradient(48, 48))
        let padded = file.dropLast(2) + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + file.suffix(2)
        #expect(try Data(padded).decoded().width == 48)
    }

    @Test func `what is missing after a harmless remark is still missed`() throws {
        let file = try JPEGFiles.make(Pictures.noise(64, 64))
        let scan = try #require(file.range(of: Data([0xFF, 0xDA]))).lowerBound
        let rubbish = file[..<scan] + [0x12, 0x34, 0x56] + file[scan...]
        #expect(try Data(rubbish).decoded().width == 64)
        let error = #expect(throws: CodecError.self) { try Data(rubbish.dropLast(rubbish.count / 4)).decoded() }
        #expect(error?.code == .damaged)
    }

    @Test(arguments: [0xC0, 0xC1, 0xC2] as [UInt8])
    func `12 bits a sample are unsupported, and the error says so`(process: UInt8) throws {
        let file = try JPEGFiles.make(Pictures.gradient(16, 16))
        let deep = try file.replacing([0xFF, 0xC0, 0x00, 0x11, 0x08], with: [0xFF, process, 0x00, 0x11, 0x0C])
        let error = #expect(throws: CodecError.self) { try deep.decoded() }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("12 bits") == true)
    }

    @Test func `processes that nobody uses are refused by name`() throws {
        let file = try JPEGFiles.make(Pictures.gradient(16, 16))
        let lossless = try file.replacing([0xFF, 0xC0], with: [0xFF, 0xC3])
        let error = #expect(throws: CodecError.self) { try lossless.decoded() }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("SOF3") == true)
    }
}
