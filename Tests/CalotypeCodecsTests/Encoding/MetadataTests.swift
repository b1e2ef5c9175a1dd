import CSpng
import CalotypeTesting
import TestSupport
import Foundation
import Testing

@testable import CalotypeCodecs

/// The EXIF blocks of results.
struct MetadataTests {
    private let size = PixelSize(width: 24, height: 16)

    private func jpeg(_ block: Data) throws -> Data {
        SampleEXIF.jpeg(SamplePhotos.jpeg(width: 40, height: 30), with: block)
    }

    /// Calls `body` with the first directory of the block in a file.
    private func reading<Result>(_ file: Data, _ body: (EXIFDirectory) throws -> Result) throws -> Result {
        try file.withUnsafeBytes { bytes in
            let file = ByteReader(bytes)
            let range = try #require(EXIFLocation.range(in: file))
            return try body(#require(EXIFDirectory(file.slice(range))))
        }
    }

    private static let formats: [EncodingFormat] = [.jpeg(), .png, .webp(), .webpLossless, .avif()]

    @Test(arguments: [false, true], formats.indices)
    func `a result with all metadata describes itself`(isBigEndian: Bool, format: Int) throws {
        let source = try jpeg(SampleEXIF.camera(isBigEndian: isBigEndian))
        let format = Self.formats[format]
        let block = try #require(EXIFBlock(keeping: .all, of: source, size: size))
        let bitmap = try Pictures.gradient(size.width, size.height)
        let file = try format.encode(bitmap, with: block)
        try reading(file) { main in
            #expect(main.number(0x0112) == 1)
            #expect(main.number(0x0100) == 24 && main.number(0x0101) == 16)
            #expect(main.next == nil)
            let photo = try #require(main.directory(at: EXIFDirectory.photoTag))
            #expect(photo.number(0xA002) == 24 && photo.number(0xA003) == 16)
            #expect(photo.number(0xA001) == 1)
            #expect(photo.text(0xA434) == Array("RF24-70mm F2.8\0".utf8))
            #expect(main.directory(at: EXIFDirectory.placeTag)?.text(1) == Array("N\0".utf8))
        }
        #expect(file.range(of: SampleEXIF.Mark.place) != nil)
        let facts = PhotoFacts(of: file)
        #expect(facts == PhotoFacts(of: source) && facts.camera == "Canon EOS R5")
        #expect(try DecoderRegistry.standard.header(of: file).orientation == 1)
        #expect(
            try DecoderRegistry.standard.decode(file).pixels
                == DecoderRegistry.standard.decode(bitmap.encoded(as: format)).pixels)
    }

    @Test(arguments: [false, true])
    func `no byte of a thumbnail, a MakerNote, XMP or a private tag reaches a result`(isBigEndian: Bool) throws {
        let source = try jpeg(SampleEXIF.camera(isBigEndian: isBigEndian))
        typealias Mark = SampleEXIF.Mark
        for kept in KeptMetadata.allCases {
            let block = EXIFBlock(keeping: kept, of: source, size: size)?.bytes ?? Data()
            for mark in [Mark.thumbnail, Mark.makerNote, Mark.packet, Mark.padding] {
                #expect(source.range(of: mark) != nil && block.range(of: mark) == nil)
            }
        }
    }

    @Test func `the copyright alone has neither place nor camera nor date`() throws {
        let source = try jpeg(SampleEXIF.camera())
        let block = try #require(EXIFBlock(keeping: .copyright, of: source, size: size))
        #expect(block.bytes.range(of: SampleEXIF.Mark.place) == nil)
        let facts = PhotoFacts(of: try block.embedded(in: SamplePhotos.jpeg(width: 8, height: 8), .jpeg))
        #expect(facts.artist == "Ann Lee" && facts.copyright == "(c) 2026 Ann Lee")
        #expect(facts.camera == nil && facts.date == nil)
        #expect(EXIFBlock(keeping: .none, of: source, size: size) == nil)
        let plain = SamplePhotos.jpeg(width: 8, height: 8)
        for kept in KeptMetadata.allCases { #expect(EXIFBlock(keeping: kept, of: plain, size: size) == nil) }
    }

    @Test func `metadata is found in files of every format that has some`() throws {
        let block = SampleEXIF.camera()
        let picture = try Pictures.gradient(24, 16)
        let png = try PNGFile(width: 24, height: 16, colorType: SPNG_COLOR_TYPE_TRUECOLOR, exif: block)
            .encoded([UInt8](repeating: 9, count: 24 * 16 * 3))
        let avif = try EncodingFormat.avif().encode(picture, with: EXIFBlock(block))
        let box = Data([0, 0, 0, 12 + 4 + 4]) + Data("Exif".utf8) + Data([0, 0, 0, 4]) + Data("abcd".utf8)
        let jpegXL = Data([0, 0, 0, 12]) + Data("JXL \r\n\u{87}\n".unicodeScalars.map { UInt8($0.value) })
        let length = 12 + 4 + block.count
        let exifBox = Data([0, 0, UInt8(length >> 8), UInt8(length & 255)]) + box.dropFirst(4) + block
        for file in [
            try jpeg(block), png, try WebPFiles.annotated(picture, exif: block), avif, block, jpegXL + exifBox,
        ] {
            #expect(PhotoFacts(of: file).camera == "Canon EOS R5")
        }
        for file in [
            SamplePhotos.png(width: 8, height: 8), try picture.encoded(as: .avif()), Data(), Data("GIF89a".utf8),
        ] {
            #expect(PhotoFacts(of: file) == PhotoFacts(of: Data()))
        }
    }

    @Test(arguments: [false, true])
    func `a hostile block is bounded, and its directories cannot lead in a circle`(isBigEndian: Bool) throws {
        func bytes(_ number: Int, _ count: Int) -> Data {
            let little = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            return Data(isBigEndian ? little.reversed() : little)
        }
        func block(_ entries: [(Int, Int, Int, Int)], next: Int, tail: Int = 0) -> Data {
            let head = Data((isBigEndian ? "MM" : "II").utf8) + bytes(42, 2) + bytes(8, 4)
            let all = entries.reduce(bytes(entries.count, 2)) {
                $0 + bytes($1.0, 2) + bytes($1.1, 2) + bytes($1.2, 4) + bytes($1.3, 4)
            }
            return head + all + bytes(next, 4) + Data(repeating: 0x41, count: tail)
        }
        let hostile = [
            // Every pointer leads to the first directory.
            block([(0x8769, 4, 1, 8), (0x8825, 4, 1, 8), (0x010F, 2, 3, 0x4141_4100)], next: 8),
            // Counts of 2^31 and more, of each type.
            block((1...12).map { (0x010F + $0, $0, 1 << 31, 8) } + [(0x010F, 12, 0xFFFF_FFFF, 8)], next: 8),
            // Offsets behind the end, and at its edge.
            block([(0x010F, 2, 100, 0xFFFF_FFF0), (0x0110, 2, 8, 24), (0x8769, 4, 1, 0xFFFF_FFFF)], next: 0xFFFF_FFFF),
            // Thousands of entries that share one large value.
            block((0..<4000).map { (0x829A + $0 % 0x2000, 7, 50_000, 48_100) }, next: 0, tail: 60_000),
            block(
                [(0x8769, 4, 1, 8)] + (0..<4000).map { (0x829A + $0 % 0x2000, 7, 50_000, 48_100) }, next: 0,
                tail: 60_000),
        ]
        for exif in hostile {
            let file = SamplePhotos.png(width: 8, height: 8)
            let source = try EXIFBlock(exif).embedded(in: file, .png)
            for kept in KeptMetadata.allCases {
                let block = EXIFBlock(keeping: kept, of: source, size: size)
                #expect(block?.bytes.count ?? 0 <= EXIFBlock.longest)
            }
            _ = PhotoFacts(of: source)
        }
    }

    @Test func `no change of a byte of any file leads out of it`() throws {
        var random = SplitMix(seed: 11)
        let picture = try Pictures.gradient(24, 16)
        let block = EXIFBlock(SampleEXIF.camera())
        let files =
            try [.jpeg(), .png, .webp(), .avif()].map { (format: EncodingFormat) in
                try format.encode(picture, with: block)
            } + [block.bytes]
        for file in files {
            for _ in 0..<3000 {
                var changed = file
                for _ in 0...Int(random.next() % 4) {
                    changed[Int(random.next() % UInt64(file.count))] = UInt8(truncatingIfNeeded: random.next())
                }
                changed = changed.prefix(Int(random.next() % UInt64(file.count + 1)))
                let kept = EXIFBlock(keeping: .all, of: changed, size: size)
                #expect(kept?.bytes.count ?? 0 <= EXIFBlock.longest)
                _ = PhotoFacts(of: changed)
            }
        }
    }

    @Test func `a value that would not fit into a JPEG is left out, and the others stay`() throws {
        var block = SampleEXIF.camera()
        // A description of 70,000 bytes, at the end of the block.
        let description = try #require(block.range(of: Data([0x0E, 0x01, 0x02, 0x00])))
        let place = block.count
        block.replaceSubrange(
            description.lowerBound + 4..<description.lowerBound + 12,
            with: [
                0x70, 0x11, 0x01, 0, UInt8(place & 255), UInt8(place >> 8), 0, 0,
            ])
        block += Data(repeating: 0x42, count: 70_000)
        let source = try EXIFBlock(block).embedded(in: SamplePhotos.png(width: 8, height: 8), .png)
        let kept = try #require(EXIFBlock(keeping: .all, of: source, size: size))
        let jpeg = try EncodingFormat.jpeg().encode(Pictures.gradient(24, 16), with: kept)
        #expect(PhotoFacts(of: jpeg).camera == "Canon EOS R5")
        try reading(jpeg) { #expect($0.text(0x010E) == nil) }
    }
}
