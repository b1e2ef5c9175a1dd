import CalotypeCodecs
import Foundation
import Testing

/// An icon's bitmap of 16 × 16 pixels: a header, colors, rows from the bottom, and a mask.
private struct IconBitmap {
    var depth: Int
    var colors: [[UInt8]] = []
    /// Whether the image has its mask, which alpha makes superfluous.
    var hasMask = true
    var isClear: (_ x: Int, _ y: Int) -> Bool = { _, _ in false }

    func encoded(_ pixel: (_ x: Int, _ y: Int) -> Int) -> Data {
        let mask = SampleBMP.rows(16, 16, depth: 1) { isClear($0, $1) ? 1 : 0 }
        let bmp = SampleBMP(width: 16, height: 32, depth: depth, colors: colors)
        return bmp.encoded(content: SampleBMP.rows(16, 16, depth: depth, pixel) + (hasMask ? mask : Data())).dropFirst(
            14)
    }

    func file(_ pixel: (_ x: Int, _ y: Int) -> Int) -> Data { SampleIcon.file([(16, encoded(pixel))]) }
}

@Suite struct ICOTests {
    @Test func `of several icons in a file the widest is shown`() throws {
        let (small, large) = (try Bitmap.numbered(16, 16), try Pictures.quarters(48, 32))
        for pair in [[small, large], [large, small]] {
            #expect(try SampleIcon.file(pair).decoded().worstDistance(to: large) == 0)
        }
    }

    @Test func `of equally wide icons the one with the most bits is shown, also in a cursor`() throws {
        let images = [1, 24, 4].map { depth in
            IconBitmap(depth: depth, colors: depth > 8 ? [] : [[0, 0, 0], [9, 9, 9]]).encoded { _, _ in
                depth == 24 ? 0xFF : 1
            }
        }
        for kind in [1, 2] {
            // A cursor has its hot spot in place of the bits.
            let bits = kind == 1 ? [1, 24, 4] : [15, 0, 3]
            let file = SampleIcon.file(zip(images, bits).map { (16, $0, $1) }, kind: kind)
            #expect(try file.decoded().distinctPixels == [.blue])
            #expect(try DecoderRegistry.standard.header(of: file).format.rawValue == "ico")
        }
    }

    @Test func `a PNG in an icon is read, also beside smaller images and larger ones`() throws {
        let (small, large) = (try Pictures.quarters(16, 16), try Pictures.veil(48, 32))
        let images = [(16, SampleIcon.bitmap(small)), (48, try large.encoded(as: .png))]
        for file in [SampleIcon.file(images), SampleIcon.file(images.reversed()), SampleIcon.file([images[1]])] {
            let header = try DecoderRegistry.standard.header(of: file)
            #expect(header.format.rawValue == "ico" && header.uprightSize == large.size && header.hasAlpha)
            #expect(try file.decoded().worstDistance(to: large) ?? 9 <= 1)
            #expect(try file.decoded(ResizeTarget(width: 24)).size == PixelSize(width: 24, height: 16))
        }
        let mixed = SampleIcon.file([(16, try small.encoded(as: .png)), (48, SampleIcon.bitmap(large))])
        #expect(try mixed.decoded().size == large.size)
    }

    @Test(arguments: [1, 4, 8])
    func `an index has the color of its palette, and black beyond it`(depth: Int) throws {
        // Red and green columns, and where an index has more bits, one that has no color.
        let bitmap = try IconBitmap(depth: depth, colors: [[255, 0, 0], [0, 255, 0]])
            .file { x, _ in depth == 1 ? x % 2 : x % 3 }.decoded()
        #expect(bitmap[0, 3] == .red && bitmap[1, 3] == .green)
        if depth > 1 { #expect(bitmap[2, 3] == .black) }
    }

    @Test func `white and black of 1 bit are not inverted, whichever is first`() throws {
        for first in [0, 255] as [UInt8] {
            let icon = IconBitmap(depth: 1, colors: [[first, first, first], [255 - first, 255 - first, 255 - first]])
            let bitmap = try icon.file { x, _ in x % 2 }.decoded()
            #expect(bitmap[0, 0] == .gray(first) && bitmap[1, 0] == .gray(255 - first))
        }
    }

    @Test(arguments: [16, 24, 32])
    func `colors are read from the bottom row up`(depth: Int) throws {
        // Blue above, red below. The alpha of 32 bits is 0 everywhere, which means that there is none.
        let (blue, red) = depth == 16 ? (31, 31 << 10) : (255, 255 << 16)
        let bitmap = try IconBitmap(depth: depth).file { _, y in y < 8 ? blue : red }.decoded()
        #expect(bitmap[3, 0] == .blue && bitmap[3, 15] == .red)
    }

    @Test(arguments: [1, 24, 32])
    func `the mask clears pixels unless there is alpha`(depth: Int) throws {
        let icon = IconBitmap(
            depth: depth, colors: depth == 1 ? [[9, 9, 9], [200, 200, 200]] : [], isClear: { x, y in (x, y) == (15, 2) }
        )
        let plain = try icon.file { _, _ in depth == 1 ? 1 : 0xC8C8C8 }.decoded()
        #expect(plain[15, 2] == .clear && plain[14, 2] == .gray(200))
        guard depth == 32 else { return }
        let veil = try icon.file { _, _ in 0x80C8_C8C8 }.decoded()
        #expect(veil[15, 2] == Pixel(100, 100, 100, 128))
    }

    @Test func `an icon of 32 bits needs no mask, and others do`() throws {
        for (depth, isRead) in [(32, true), (24, false), (8, false)] {
            let file = IconBitmap(depth: depth, hasMask: false).file { _, _ in 7 }
            if isRead {
                #expect(try file.decoded().distinctPixels == [Pixel(7, 0, 0)])
            } else {
                let error = #expect(throws: CodecError.self) { try file.decoded() }
                #expect(error?.code == .damaged)
            }
        }
    }

    @Test func `a PNG of 256 pixels, which the directory calls 0, is the widest`() throws {
        let large = try Pictures.gradient(256, 256)
        let file = SampleIcon.file([
            (48, SampleIcon.bitmap(try Pictures.quarters(48, 48))), (256, try large.encoded(as: .png)),
        ])
        #expect(try file.decoded().worstDistance(to: large) == 0)
    }

    @Test func `an image that is shorter than its own header announces is damaged, whichever it is`() throws {
        let drawn = try Pictures.noise(48, 48)
        // The directory is correct. A PNG may lack its end.
        for (content, lengths) in [(SampleIcon.bitmap(drawn), [1, 2, 300]), (try drawn.encoded(as: .png), [300])] {
            for missing in lengths {
                let file = SampleIcon.file([(48, content.dropLast(missing))])
                let error = #expect(throws: CodecError.self) { try file.decoded() }
                #expect(error?.code == .damaged, "\(missing): \(error?.message ?? "")")
            }
        }
    }

    @Test func `a bitmap that no icon has is named`() throws {
        func failure(_ bmp: SampleBMP) -> CodecError? {
            let file = SampleIcon.file([(16, bmp.encoded(content: Data(count: 4000)).dropFirst(14))])
            return #expect(throws: CodecError.self) { try file.decoded() }
        }
        let runs = failure(SampleBMP(width: 16, height: 32, depth: 8, compression: 1))
        #expect(runs?.code == .unsupported && runs?.message == "ICO with run lengths is not supported")
        #expect(failure(SampleBMP(width: 16, height: 32, isTopDown: true))?.code == .damaged)
        #expect(failure(SampleBMP(width: 16, height: 32, headerLength: 12))?.code == .damaged)
        #expect(failure(SampleBMP(width: 16, height: 1))?.message.contains("nothing to show") == true)
    }

    @Test func `a directory without an image in the file is damaged`() throws {
        let empty = Data([0, 0, 1, 0, 2, 0, 16, 16, 0, 0, 1, 0, 24, 0])
        for file in [empty, empty + Data(repeating: 255, count: 8) + Data(repeating: 255, count: 16)] {
            let error = #expect(throws: CodecError.self) { try file.decoded() }
            #expect(error?.code == .damaged)
        }
    }
}
