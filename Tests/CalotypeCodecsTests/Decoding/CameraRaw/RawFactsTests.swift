import CalotypeFuzzSupport
import Foundation
import Testing

@testable import CalotypeCodecs

/// The EXIF of raw files.
@Suite struct RawFactsTests {
    private let raw: RawFile

    init() throws {
        raw = RawFile(
            preview: try JPEGFiles.make(Pictures.quarters(96, 64)),
            thumbnail: try JPEGFiles.make(Pictures.gradient(40, 24)),
            orientation: 6)
    }

    @Test(arguments: RawFile.Kind.allCases.filter(\.hasFacts))
    func `a raw file names its camera and the date of the exposure`(kind: RawFile.Kind) {
        let facts = PhotoFacts(of: raw.data(kind))
        #expect(facts.date == "2026-05-01T12:30:00")
        #expect(facts.camera?.hasSuffix("X1") == true, "\(facts.camera ?? "")")
    }

    @Test func `the date is that of the preview if the raw file has no exposure`() {
        var preview = TIFFFile.data(RawFile.little, [[RawFile.exposure()]])
        preview = Data("Exif\0\0".utf8) + preview
        let file = TIFFFile.data(
            Data("IIU\0".utf8) + Data(count: 20),
            [[.bytes(0x2E, raw.preview.addingSegment(0xE1, preview)), .text(271, "Panasonic"), .text(272, "X1")]])
        let facts = PhotoFacts(of: file)
        #expect(facts.date == "2026-05-01T12:30:00" && facts.camera == "Panasonic X1")
    }

    @Test(arguments: RawFile.Kind.allCases.filter(\.hasFacts))
    func `a result keeps the EXIF of the raw file, upright and without its previews`(kind: RawFile.Kind) throws {
        let size = PixelSize(width: 64, height: 96)
        let block = try #require(EXIFBlock(keeping: .all, of: raw.data(kind), size: size))
        #expect(block.bytes.count < 400)
        try block.bytes.reading { bytes in
            let main = try #require(EXIFDirectory(ByteReader(bytes)))
            #expect(main.number(0x0112) == 1)
            let photo = try #require(main.directory(at: EXIFDirectory.photoTag))
            #expect(photo.text(36867) == Array("2026:05:01 12:30:00".utf8) + [0])
        }
    }

    @Test func `a CR3 has its author in one block and its place in another`() throws {
        let file = raw.data(.cr3)
        #expect(ImageCredits(of: file)?.artist == Array("Ann Lee".utf8))
        let block = try #require(EXIFBlock(keeping: .all, of: file, size: PixelSize(width: 64, height: 96)))
        try block.bytes.reading { bytes in
            let main = try #require(EXIFDirectory(ByteReader(bytes)))
            #expect(main.directory(at: EXIFDirectory.placeTag)?.text(1) == Array("N".utf8) + [0])
        }
    }

    @Test func `a decode keeps the credits of the raw file`() throws {
        let layout = VariantLayouts([ResizeTarget(width: 20)], limits: DecodeLimits(), keepsCredits: true)
        let plan = try DecoderRegistry.standard.plan(for: raw.data(.cr3), target: layout)
        #expect(try plan.decode().credits?.artist == Array("Ann Lee".utf8))
    }

    @Test func `a preview without its end is damage`() {
        let file = RawFile.raf(raw.preview)
        #expect(!FileDamage.isPresent(in: file) && FileDamage.isPresent(in: file.dropLast(2)))
    }

    @Test(arguments: RawFile.Kind.allCases)
    func `the facts of a file cut at each byte are found, or not`(kind: RawFile.Kind) {
        let file = raw.data(kind)
        for end in 0..<file.count {
            let facts = PhotoFacts(of: file.prefix(end))
            #expect(facts.date == nil || facts.date == "2026-05-01T12:30:00")
        }
    }
}
