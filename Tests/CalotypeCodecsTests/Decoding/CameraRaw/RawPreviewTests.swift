import CalotypeBase
import CalotypeFuzzSupport
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

/// The previews in raw files, which are their images.
@Suite struct RawPreviewTests {
    private let here = DecoderRegistry.standard.isolated(by: .off)
    private let quarters: Data
    private let raw: RawFile

    init() throws {
        quarters = try JPEGFiles.make(Pictures.quarters(96, 64))
        raw = RawFile(preview: quarters, thumbnail: try JPEGFiles.make(Pictures.gradient(40, 24)))
    }

    @Test(arguments: RawFile.Kind.allCases)
    func `the larger of two previews is the image`(kind: RawFile.Kind) throws {
        let file = raw.data(kind)
        let header = try here.header(of: file)
        #expect(header.format == .cameraRaw && header.stored == PixelSize(width: 96, height: 64))
        #expect(header.orientation == 1 && header.frameCount == 1 && header.codec == "baseline")
        #expect(try here.decode(file).words == quarters.decoded().words)
    }

    @Test(arguments: RawFile.Kind.allCases.filter(\.hasOrientation))
    func `the frame headers decide about the larger one, not its place`(kind: RawFile.Kind) throws {
        let swapped = RawFile(preview: raw.thumbnail, thumbnail: raw.preview)
        #expect(try here.decode(swapped.data(kind)).words == quarters.decoded().words)
    }

    @Test(arguments: RawFile.Kind.allCases, 1...8)
    func `the orientation of the raw file is applied, and once`(kind: RawFile.Kind, orientation: Int) throws {
        let upright = try quarters.decoded().oriented(orientation)
        if kind == .crw && ![1, 3, 6, 8].contains(orientation) { return }
        for own in [nil, 1, 6] where kind.hasOrientation || own == nil {
            var raw = raw
            raw.orientation = orientation
            raw.preview = own.map { quarters.addingEXIF($0) } ?? quarters
            let file = raw.data(kind)
            #expect(try here.header(of: file).orientation == orientation)
            #expect(try here.decode(file).words == upright.words, "\(own ?? 0)")
            let target = ResizeTarget(width: 24, height: 24)
            #expect(
                try here.decode(file, target: target).words == quarters.addingEXIF(orientation).decoded(target).words)
        }
    }

    @Test(arguments: RawFile.Kind.allCases, [nil, 0, 9])
    func `without a valid orientation in the raw file, that of its preview counts`(
        kind: RawFile.Kind, orientation: Int?
    ) throws {
        let raw = RawFile(preview: quarters.addingEXIF(6), thumbnail: raw.thumbnail, orientation: orientation)
        let counted = kind.hasOrientation ? 6 : 1
        #expect(try here.header(of: raw.data(kind)).orientation == counted)
    }

    @Test func `previews in makers' notes are found, from which offsets count in several ways`() throws {
        func ofFile(_ beginning: String, _ note: (Int) -> Data) throws -> Data {
            let place = try #require(raw.orf(note: note(0)).range(of: Data(beginning.utf8))).lowerBound
            return raw.orf(note: note(place))
        }
        let files = try [
            raw.orf(note: RawFile.nikonNote(quarters)), raw.orf(note: RawFile.note("OLYMPUS\0II\u{3}\0", quarters)),
            raw.orf(note: RawFile.note("OM SYSTEM\0\0\0II\u{4}\0", quarters)),
            ofFile("OLYMP\0\u{1}\0") { RawFile.note("OLYMP\0\u{1}\0", quarters, start: $0) },
            ofFile("AOC\0II") { RawFile.pentaxNote("AOC\0II", quarters, start: $0) },
            ofFile("AOC\0  ") { RawFile.pentaxNote("AOC\0  ", quarters, start: $0) },
            ofFile("PENTAX \0II") { RawFile.pentaxNote("PENTAX \0II", quarters, start: $0) },
        ]
        for (index, file) in files.enumerated() {
            #expect(try here.header(of: file).width == 96, "\(index)")
        }
    }

    @Test(arguments: RawFile.Kind.allCases)
    func `a worker decodes the preview as this process does`(kind: RawFile.Kind) throws {
        var raw = raw
        raw.orientation = 6
        let (file, apart) = (raw.data(kind), DecoderRegistry.standard.isolated(in: .shared))
        #expect(try apart.header(of: file) == here.header(of: file))
        for target in [nil, ResizeTarget(width: 20)] {
            #expect(try apart.decode(file, target: target).words == here.decode(file, target: target).words)
        }
        #expect(!apart.readsHeaderInWorker(file) && apart.colors(of: file) == here.colors(of: file))
    }

    @Test func `a raw file takes the memory of its preview, and a worker a copy of that alone`() throws {
        let large = SamplePhotos.jpeg(width: 1200, height: 800)
        let file = RawFile(preview: large, thumbnail: raw.thumbnail).data(.nef) + Data(count: 1 << 20)
        let apart = DecoderRegistry.standard.isolated(in: .shared)
        for target in [nil, ResizeTarget(width: 300)] {
            for decoders in [here, apart] {
                let (one, other) = try (
                    decoders.plan(for: file, target: target), decoders.plan(for: large, target: target)
                )
                #expect(one.cost == other.cost && one.outputSize == other.outputSize)
            }
        }
    }

    @Test func `a file cut short is shown as long as a preview begins in it, in part if parts are accepted`() throws {
        var limits = DecodeLimits()
        limits.acceptsPartialImages = true
        let noise = RawFile(preview: try JPEGFiles.make(Pictures.noise(64, 48)), thumbnail: raw.thumbnail)
        // The directories of the others stand at the end of the file.
        for kind in RawFile.Kind.allCases where kind != .crw && kind != .x3f {
            let file = noise.data(kind)
            let place = try #require(file.range(of: noise.preview.suffix(200)))
            #expect(try here.decode(file.prefix(place.upperBound)).width == 64)
            let cut = file.prefix(place.upperBound - 1500)
            let error = #expect(throws: CodecError.self) { try here.decode(cut) }
            #expect(error?.code == .damaged, "\(kind)")
            let part = try here.decode(cut, limits: limits)
            #expect(
                part.width == 64 && part.hasAlpha && part.words.first.map { $0 >> 24 } == 255 && part.words.last == 0)
        }
    }

    @Test(arguments: RawFile.Kind.allCases)
    func `a file cut at each byte is an image, or fails with a typed error`(kind: RawFile.Kind) throws {
        let file = raw.data(kind)
        for end in 0..<file.count {
            let part = file.prefix(end)
            do throws(CodecError) {
                let header = try here.header(of: part)
                // The directories of a TIFF that is cut short may not show that it is a raw file.
                #expect(header.format == .cameraRaw || header.format.rawValue == "tiff")
            } catch {
                #expect([.damaged, .unsupported, .notAnImage].contains(error.code), "\(error) at \(end)")
            }
            if end % 61 == 0 {
                do throws(CodecError) { _ = try here.decode(part) } catch {
                    #expect([.damaged, .unsupported, .notAnImage].contains(error.code), "\(error) at \(end)")
                }
            }
        }
    }

    @Test func `a program's decoder has the raw file before its preview is looked for`() throws {
        struct Developer: ImageDecoder {
            func header(of data: Data) -> ImageHeader? {
                data.starts(with: Data("MM".utf8)) ? ImageHeader(format: .cameraRaw, width: 3, height: 2) : nil
            }
            func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int { 0 }
            func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
                try Bitmap(width: 3, height: 2, hasAlpha: false) { pixels, _ in
                    pixels.initializeMemory(as: UInt8.self, repeating: 255)
                }
            }
        }
        var decoders = here
        decoders.register(Developer())
        #expect(try decoders.decode(raw.data(.nef)).size == PixelSize(width: 3, height: 2))
        #expect(try decoders.decode(raw.data(.arw)).size == PixelSize(width: 96, height: 64))
    }

    @Test func `a program's decoder of JPEG has the preview, with indices from 0`() throws {
        struct Other: ImageDecoder {
            let mediaTypes = ["image/jpeg"]
            func header(of data: Data) -> ImageHeader? {
                data.startIndex == 0 && data.first == 0xFF
                    ? ImageHeader(format: .jpeg, width: data.count, height: 1) : nil
            }
            func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int { 0 }
            func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
                throw CodecError(.unsupported, "header only")
            }
        }
        #expect(try DecoderRegistry([Other()]).header(of: raw.data(.arw)).width == quarters.count)
    }

    @Test func `a build that reads JPEG reads the previews of raw files, by the extension, too`() {
        #expect(here.reads(.cameraRaw) && !DecoderRegistry([PNGDecoder()]).reads(.cameraRaw))
        for name in ["dng", "CR2", "cr3", "NEF", "arw", "raf", "orf", "rw2", "pef"] {
            #expect(ImageFormat(fileExtension: name) == .cameraRaw, "\(name)")
        }
    }
}
